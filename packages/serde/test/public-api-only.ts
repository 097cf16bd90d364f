// The library as it would look to us if a later version had other private members.
import { vi } from "vitest";

vi.mock("../src/write/encoder-internals.ts", async (original) => ({
  ...(await original<object>()),
  openEncoder: () => undefined,
}));
