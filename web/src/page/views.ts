// Every view of the job page, in the order of the page. To add a view is to add a line.
import type { View } from "./view";
import { view as findings } from "../views/findings";
import { view as runtime } from "../views/runtime";
import { view as layers } from "../views/layers";
import { view as heatmap } from "../views/heatmap";
import { view as phases } from "../views/phases";
import { view as where } from "../views/where";
import { view as regions } from "../views/regions";
import { view as timeline } from "../views/timeline";
import { view as ranks } from "../views/ranks";
import { view as processes } from "../views/processes";
import { view as messages } from "../views/messages";
import { view as meanIo } from "../views/mean-io";
import { view as variance } from "../views/variance";
import { view as sizes } from "../views/sizes";
import { view as operations } from "../views/operations";
import { view as pattern } from "../views/pattern";
import { view as common } from "../views/common";
import { view as files } from "../views/files";
import { view as fileCounts } from "../views/file-counts";
import { view as fileSystems } from "../views/file-systems";
import { view as lustre } from "../views/lustre";
import { view as counters } from "../views/counters";
import { view as custom } from "../views/custom";
import { view as log } from "../views/log";
import { view as quality } from "../views/quality";
import { view as about } from "../views/about";

export interface Group {
    title: string;
    views: View[];
}

export const groups: Group[] = [
    { title: "Result", views: [findings, where] },
    { title: "Time", views: [runtime, layers, heatmap, phases, regions, timeline] },
    { title: "Processes", views: [ranks, messages, processes, meanIo, variance] },
    { title: "Requests", views: [sizes, operations, pattern, common] },
    { title: "Files", views: [files, fileCounts, fileSystems, lustre] },
    { title: "Data", views: [counters, custom, log, quality, about] },
];
