import { join } from "node:path";
import { defineConfig } from "vite";
import { sampleSession } from "../../tests/fixtures/sample-session.mjs";

const SAMPLE = "virtual:sample";

/** The bundled sample as a module of its own, which the page loads when it is asked for. */
const sample = {
  name: "sample",
  resolveId: (id) => (id === SAMPLE ? `\0${SAMPLE}` : undefined),
  load: (id) => (id === `\0${SAMPLE}` ? `export default ${JSON.stringify(sampleSession())};` : undefined),
};

/** Vite's development server needs a socket and inline styles; what is built keeps its policy. */
const openInDevelopment = {
  name: "open-in-development",
  apply: "serve",
  transformIndexHtml: (html, { server }) => (server ? html.replace(/<meta\s+http-equiv[^>]*>/, "") : html),
};

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that the folder can be served from anywhere.
  base: "./",
  plugins: [sample, openInDevelopment],
  worker: { format: "iife" },
  build: {
    outDir: join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    target: "es2022",
    // Preloading is done by fetch, which the policy forbids; there is nothing to gain with two scripts.
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
  },
});
