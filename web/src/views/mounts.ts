// Columns of every table whose rows are mounted file systems.
import { visible } from "../lib/format";
import type { Column } from "../lib/table";

interface Mount {
    mount_point: string;
    fs_type: string;
}

export const mountColumns = <Row extends Mount>(): Column<Row>[] => [
    { label: "Mount point", path: true, value: (row) => row.mount_point, text: (row) => visible(row.mount_point) },
    { label: "Type", value: (row) => row.fs_type },
];
