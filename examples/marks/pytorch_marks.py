"""PyTorch: samples and checkpoints as regions. Wrap the data set and the function that saves; nothing else changes.

    loader = DataLoader(Marked(dataset), num_workers=4)
    save = marked_save(torch.save)

Workers of a DataLoader are processes of their own; under `iolite run` they are recorded, and their regions are in the same log."""

import functools

import iolite


class Marked:
    """A data set of which every access is the region "sample"."""

    def __init__(self, dataset, name="sample"):
        self.dataset = dataset
        self.name = name

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, index):
        with iolite.region(self.name):
            return self.dataset[index]


def marked_save(save, name="checkpoint"):
    """torch.save, or any function that writes, as a region."""

    @functools.wraps(save)
    def saved(*arguments, **keywords):
        with iolite.region(name):
            return save(*arguments, **keywords)

    return saved
