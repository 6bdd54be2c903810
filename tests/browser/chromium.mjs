// The Chromium of the machine, and a look at what a page does while a test uses it.
import { chromium } from "playwright-core";
import { findBrowser } from "../tasks/setup.mjs";

const QUIET = [
  ...["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  ...["--disable-component-update", "--disable-sync"],
];

export function launch() {
  const found = findBrowser();
  if (!found) throw new Error("Chromium is missing: `npm test` installs it or says how");
  // Chromium refuses to start its sandbox as root.
  const args = process.getuid?.() === 0 ? [...QUIET, "--no-sandbox"] : QUIET;
  return chromium.launch({ executablePath: found.chrome, args });
}

/**
 * Opens a page whose requests and complaints are noted.
 *
 * @returns {Promise<{ page: import("playwright-core").Page, requests: string[], complaints: string[], close(): Promise<void> }>}
 */
export async function open(browser, options = {}) {
  const context = await browser.newContext(options);
  const requests = [];
  const complaints = [];
  context.on("request", (request) => requests.push(request.url()));
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
  const page = await context.newPage();
  return { page, requests, complaints, close: () => context.close() };
}
