const WORDS = ["a", "graph", "that", "sends", "its", "state", "to", "many", "workers"];

/** Chapters of some thousand words, of which none is like another. */
export function writeBook(chapters: number): string[] {
  return Array.from({ length: chapters }, (_, chapter) =>
    Array.from(
      { length: 4_000 },
      (_, i) => `${WORDS[(i * (chapter + 1)) % WORDS.length]}${chapter}${i}`,
    ).join(" "),
  );
}
