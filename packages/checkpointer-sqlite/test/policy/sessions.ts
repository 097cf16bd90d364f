import type { Types } from "@threadkeep/serde";

/** Stands in every session's content, and must never be found in storage. */
export const SECRET = "secret-of-the-live-object-4b1d";

/** A live object, as nodes use it. */
export interface Session {
  readonly token: string;
  run(): string;
}

class Connection implements Session {
  readonly token: string = SECRET;
  run(): string {
    return "ran";
  }
}

/** How live objects look. The second one could be stored, and the others would be refused or copied. */
export const sessions: Readonly<
  Record<string, { readonly open: () => Session; readonly types?: Types }>
> = {
  "an instance": { open: () => new Connection() },
  "an instance of a class in types": { open: () => new Connection(), types: { Connection } },
  "a record with functions": { open: () => ({ token: SECRET, run: () => "ran" }) },
};
