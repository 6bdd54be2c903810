// The ways in: dropped, chosen, pasted, or the sample. A pasted log never stands in the document: what
// is not scrubbed yet stays out of it.

/**
 * @param {(log: Blob, name: string) => void} open
 * @param {(code: string, message: string) => void} refuse
 */
export function listen(open, refuse) {
  const zone = document.getElementById("drop");
  const input = document.getElementById("file");
  const one = (files) => {
    if (files.length > 1) refuse("one_at_a_time", `${files.length} files were dropped; one log is shown at a time`);
    else if (files.length === 1) open(files[0], files[0].name);
  };
  const pasted = (text) => {
    if (text === "") refuse("clipboard_empty", "the clipboard holds no text");
    else open(new Blob([text]), "pasted log");
  };

  zone.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    one(input.files);
    // So that the same file can be chosen again after it grew.
    input.value = "";
  });

  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.dataset.over = "";
  });
  for (const end of ["dragleave", "drop"]) {
    document.addEventListener(end, (event) => {
      if (end === "drop" || event.relatedTarget === null) delete zone.dataset.over;
    });
  }
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length > 0) one(files);
    else pasted(event.dataTransfer.getData("text"));
  });

  document.addEventListener("paste", (event) => {
    event.preventDefault();
    const { files } = event.clipboardData;
    if (files.length > 0) one(files);
    else pasted(event.clipboardData.getData("text"));
  });
  document.getElementById("paste").addEventListener("click", () => {
    navigator.clipboard.readText().then(pasted, () => refuse("clipboard_refused", "the browser does not allow the page to read the clipboard; press Ctrl+V, or ⌘V on a Mac"));
  });
  document.getElementById("sample").addEventListener("click", async () => {
    const { default: sample } = await import("virtual:sample");
    open(new Blob([sample]), "sample-session.jsonl");
  });
}
