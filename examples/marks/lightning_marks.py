"""Lightning: the parts of training as regions, by a callback.

    trainer = Trainer(callbacks=[Marks()])

The hooks of a Callback come in pairs, a start and an end; each pair is a region. What a batch reads goes to "train_batch" if it is
read there, and to the workers' own regions if it is not (see pytorch_marks.py)."""

import iolite

try:
    from lightning.pytorch import Callback
except ImportError:
    from pytorch_lightning import Callback

PAIRS = {"train_epoch": ("on_train_epoch_start", "on_train_epoch_end"), "train_batch": ("on_train_batch_start", "on_train_batch_end"),
         "validation": ("on_validation_start", "on_validation_end"), "test": ("on_test_start", "on_test_end")}


class Marks(Callback):
    """Regions train_epoch, train_batch, validation and test. A trainer saves between its hooks: mark what saves, with
    marked_save of pytorch_marks.py, to have checkpoints apart."""


def _hook(mark, name):
    def hook(self, *arguments, **keywords):
        mark(name)

    return hook


for _name, (_start, _end) in PAIRS.items():
    setattr(Marks, _start, _hook(iolite.begin, _name))
    setattr(Marks, _end, _hook(iolite.end, _name))
