/** Why a saver could not do what was asked. The codes are stable; messages may change. */
export type SaverErrorCode =
  /** The config lacks an id, or one is not a usable string. */
  | "invalid_config"
  /** Wrong arguments or options. */
  | "invalid_options"
  /** The file is not an SQLite database. */
  | "not_a_database"
  /** The file can't be opened or created. */
  | "cannot_open"
  /** The database or its file can't be written. */
  | "read_only"
  /** No space left. */
  | "disk_full"
  /** Another connection held the lock for longer than the busy timeout. */
  | "locked"
  /** The saver or its database was closed. */
  | "closed"
  /** Reading or writing the file failed. */
  | "io_error"
  /** Stored bytes are damaged or missing. */
  | "corrupt"
  /** The file was written by a newer version of this package. */
  | "newer_schema"
  /** The checkpoint's state has a version that is newer than the graph's. */
  | "newer_version"
  /** A step of the state's migration failed. What is stored is as it was. */
  | "migration_failed"
  /** With `validate`: a loaded state is other than its schemas say. */
  | "invalid_state"
  /** The database driver is not installed. */
  | "driver_missing"
  /** This saver, graph or serializer can't give what is asked. */
  | "unsupported"
  /** Any other failure of the database. */
  | "database_error";

const BRAND = Symbol.for("threadkeep.saver.error");

/**
 * Thrown by savers. Nothing was stored when a write throws; what was stored before stays readable.
 *
 * @example
 * ```ts
 * try {
 *   SqliteSaver.fromConnString("notes.txt");
 * } catch (error) {
 *   SaverError.is(error) && error.code; // "not_a_database"
 * }
 * ```
 */
export class SaverError extends Error {
  override readonly name: string = "SaverError";
  readonly code: SaverErrorCode;

  constructor(code: SaverErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Like `instanceof`, but also true for errors from another copy of this package. */
  static is(value: unknown): value is SaverError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** A value of a loaded checkpoint that is other than its schema says. */
export interface StateIssue {
  readonly checkpointId: string;
  readonly channel: string;
  /** Where in the channel's value; empty for the value itself. */
  readonly path: string;
  /** What the schema says of it. */
  readonly message: string;
}

/** Thrown for a loaded state that is other than its schemas say; `issues` lists every place. */
export class InvalidStateError extends SaverError {
  readonly issues: readonly StateIssue[];

  constructor(threadId: unknown, issues: readonly StateIssue[], options?: ErrorOptions) {
    const lines = issues.slice(0, SHOWN).map(describe);
    const more = issues.length > SHOWN ? [`  … and ${issues.length - SHOWN} more`] : [];
    const place = `Thread ${JSON.stringify(threadId)}, checkpoint ${issues[0]?.checkpointId ?? ""}`;
    const text = [`${place} is not as its schemas say:`, ...lines, ...more].join("\n");
    super("invalid_state", text, options);
    this.issues = issues;
  }

  /** Like `instanceof`, but also true for errors from another copy of this package. */
  static override is(value: unknown): value is InvalidStateError {
    return SaverError.is(value) && value.code === "invalid_state";
  }
}

const SHOWN = 10;

function describe({ channel, path, message }: StateIssue): string {
  return `  - ${channel}${path === "" || path.startsWith("[") ? path : `.${path}`}: ${message}`;
}
