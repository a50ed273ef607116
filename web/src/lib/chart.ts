// Apache ECharts, only the parts in use, drawn as SVG: sharp in print, small, and exported as it is.
import * as echarts from "echarts/core";
import { BarChart, LineChart } from "echarts/charts";
import { GridComponent, LegendPlainComponent, TooltipComponent } from "echarts/components";
import { SVGRenderer } from "echarts/renderers";
import type { EChartsCoreOption, EChartsType } from "echarts/core";
import { figure, type Figure, type FigureOptions } from "./figure";
import { h, type Child } from "./dom";
import { onTheme, palette, type Palette } from "./theme";

echarts.use([BarChart, LineChart, GridComponent, LegendPlainComponent, TooltipComponent, SVGRenderer]);

export type Option = EChartsCoreOption;

export interface ChartOptions extends Omit<FigureOptions, "picture" | "svg"> {
    /** In pixels; what needs more room on narrow screens gives a function of the width. */
    height: number | ((width: number) => number);
    /** Called again when the colours or the width change. */
    option: (colours: Palette, width: number) => Option;
    onClick?: (event: { seriesName?: string; dataIndex: number; name: string; value: unknown }) => void;
}

export interface Chart {
    figure: Figure;
    instance: EChartsType;
    /** Draws again, after the data behind `option` has changed. */
    redraw(): void;
    destroy(): void;
}

/** What every chart has in common; `option` overrides it key by key. */
function base(colours: Palette): Option {
    return {
        animation: false,
        textStyle: { fontFamily: colours.font, color: colours.text, fontSize: 12 },
        color: colours.series,
        grid: { left: 8, right: 12, top: 34, bottom: 8, containLabel: true },
        legend: {
            top: 0,
            left: 0,
            itemWidth: 12,
            itemHeight: 12,
            itemGap: 16,
            icon: "roundRect",
            textStyle: { color: colours.text, fontSize: 12 },
            inactiveColor: colours.line,
        },
        tooltip: {
            trigger: "axis",
            axisPointer: { type: "shadow", shadowStyle: { color: colours.text, opacity: 0.06 } },
            backgroundColor: colours.surface,
            borderColor: colours.line,
            padding: 0,
            textStyle: { color: colours.text, fontSize: 12 },
            confine: true,
        },
    };
}

/** An axis in the colours of the page. */
export function axis(colours: Palette, more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
        axisLine: { lineStyle: { color: colours.line } },
        axisTick: { show: false },
        axisLabel: { color: colours.muted, fontSize: 11, ...(more["axisLabel"] as object | undefined) },
        splitLine: { lineStyle: { color: colours.line, opacity: 0.6 } },
        nameTextStyle: { color: colours.muted, fontSize: 11 },
        ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "axisLabel")),
    };
}

export interface TipLine {
    colour?: string;
    label: string;
    value: string;
}

/** The content of a tooltip as elements, never as markup: give it as the result of `tooltip.formatter`. */
export function tip(title: string, lines: TipLine[], note?: Child): HTMLElement {
    return h(
        "div",
        { class: "io-tip" },
        h("strong", {}, title),
        lines.map((line) =>
            h(
                "div",
                {},
                line.colour ? h("i", { style: `background:${line.colour}` }) : null,
                h("span", {}, line.label),
                h("b", {}, line.value),
            ),
        ),
        note ? h("p", {}, note) : null,
    );
}

function merged(colours: Palette, own: Option): Option {
    const common = base(colours);
    const result: Option = { ...common, ...own };
    for (const name of ["grid", "legend", "tooltip"] as const) {
        const value = own[name];
        if (value && !Array.isArray(value) && typeof value === "object")
            result[name] = { ...(common[name] as object), ...value };
    }
    return result;
}

export function chart(parent: HTMLElement, options: ChartOptions): Chart {
    const frame = figure(parent, { ...options, vector: true, picture: () => frame.body.querySelector("svg") });
    const width = (): number => frame.body.clientWidth || 600;
    const height = (): number => (typeof options.height === "number" ? options.height : options.height(width()));
    const instance = echarts.init(frame.body, null, { renderer: "svg", width: width(), height: height() });
    const redraw = (): void => {
        frame.body.style.height = `${height()}px`;
        instance.resize({ width: width(), height: height() });
        instance.setOption(merged(palette(), options.option(palette(), width())), true);
        /* Paper is narrower than the box that was measured, and known too late: there the drawing shrinks. */
        frame.body.querySelector("svg")?.setAttribute("viewBox", `0 0 ${width()} ${height()}`);
    };
    redraw();
    if (options.onClick) instance.on("click", (event) => options.onClick?.(event as never));
    let last = width();
    const observer = new ResizeObserver(() => {
        if (width() === last) return;
        last = width();
        redraw();
    });
    observer.observe(frame.body);
    const stop = onTheme(redraw);
    return {
        figure: frame,
        instance,
        redraw,
        destroy: () => {
            stop();
            observer.disconnect();
            instance.dispose();
        },
    };
}
