// node pictures.mjs REPORT DIRECTORY: the pictures of a report that the README shows, light and dark.
import { chromium } from "playwright-core";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [report, directory] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width: 1200, height: 860 }, colorScheme });
    await page.goto(pathToFileURL(resolve(report)).href);
    await page.waitForSelector("nav");
    await page.waitForTimeout(1000);
    await page.screenshot({ path: resolve(directory, `report-${colorScheme}.png`) });
    await page.close();
}
await browser.close();
