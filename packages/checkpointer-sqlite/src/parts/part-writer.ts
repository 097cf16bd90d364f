import { type Cutter, type Problem, SerdeError, type WriteHooks } from "@threadkeep/serde";
import type { Known } from "./known.ts";
import { MetObjects } from "./met-objects.ts";
import { hasPlainForm, isSend, type Kind, kindOf, opens } from "./opens.ts";
import { type Part, plainPart } from "./part.ts";
import { MIN_PART, PartCollector } from "./part-collector.ts";
import type { PartContext, PartedValue } from "./parted-value.ts";
import { PieceRun } from "./piece-run.ts";
import { joinPieces } from "./pieces.ts";
import { Slot } from "./slot.ts";
import { slotsOf } from "./slots.ts";
import { partsIn, reference, UNNAMED } from "./tokens.ts";

type Path = NonNullable<WriteHooks["at"]>;

/** How often a value is gone through in which objects turn out to be shared, before it is one part. */
const MAX_WALKS = 6;
const NIL = Uint8Array.of(0xc0);

/**
 * Cut a value into a document and its parts.
 *
 * Every element of a collection is a document of its own, as the serializer writes it, and large ones
 * are stored as parts. What was stored before and has not changed is not written again. An object
 * that stands in several documents is a part with an identity, so that it is one object again.
 *
 * @throws SerdeError with every place that can't be stored
 */
export function writeParts(value: unknown, hooks: WriteHooks, context: PartContext): PartedValue {
  const cut = cutValue(value, hooks, context, new Set());
  return cut ?? { root: context.serializer.write(value, hooks).bytes, parts: [], batches: [] };
}

/** A cut value, and the objects it is made of. */
interface CutValue extends PartedValue {
  readonly met: MetObjects;
}

/** Undefined for a value that has to be one part. `around` are the Sends that it stands in. */
function cutValue(
  value: unknown,
  hooks: WriteHooks,
  context: PartContext,
  around: ReadonlySet<object>,
): CutValue | undefined {
  const rewritten = new Set<object>();
  for (let i = 0; i < MAX_WALKS; i++) {
    const walk = new Walk(context, hooks, rewritten, around);
    const result = walk.run(value);
    if (result !== undefined) return result;
    if (walk.isCyclic) break;
  }
  return undefined;
}

/** One walk through a value. */
class Walk {
  /** Whether documents would have to hold each other. */
  isCyclic = false;
  readonly #context: PartContext;
  readonly #hooks: WriteHooks;
  /** Told of what is left out of each document. */
  readonly #onOmit: WriteHooks["onOmit"];
  /** Elements that are written whatever is known of them. */
  readonly #rewritten: ReadonlySet<object>;
  readonly #around: ReadonlySet<object>;
  readonly #met: MetObjects;
  /** What stands for the objects that are shared; nothing yet while one is being written. */
  readonly #shared = new Map<object, Uint8Array | undefined>();
  readonly #problems: Problem[] = [];
  readonly #omitted: string[] = [];
  readonly #collected: PartCollector;

  constructor(
    context: PartContext,
    hooks: WriteHooks,
    rewritten: Set<object>,
    around: ReadonlySet<object>,
  ) {
    this.#context = context;
    this.#around = around;
    this.#hooks = hooks;
    this.#onOmit = hooks.omit && ((path) => void this.#omitted.push(path));
    this.#rewritten = rewritten;
    this.#met = new MetObjects(context.shared, rewritten);
    this.#collected = new PartCollector(context.name, (element) => this.#again(element));
  }

  /** Undefined when objects turned out to be shared, which the next walk knows. */
  run(value: unknown): CutValue | undefined {
    const root = this.#root(value);
    if (!this.#isInVain) this.#met.checkUnchanged();
    if (this.#isInVain) return undefined;
    for (const path of this.#omitted) this.#hooks.onOmit?.(path);
    if (this.#problems.length > 0) throw new SerdeError(this.#problems as [Problem, ...Problem[]]);
    const { parts, learned, batches } = this.#collected;
    const { unchanged } = this.#met;
    const { now: sharedAt } = this.#context.shared;
    return {
      root,
      parts,
      batches: [...batches, { learned, unchanged, sharedAt }],
      met: this.#met,
    };
  }

  /** Whether another walk is needed, or none helps. */
  get #isInVain(): boolean {
    return this.#met.hasConflict || this.isCyclic;
  }

  #root(value: unknown): Uint8Array {
    const at = this.#hooks.at ?? [];
    if (typeof value !== "object" || value === null || this.#hooks.omit?.(value) === true)
      return this.#write(value, at);
    return this.#document(value, kindOf(value), at);
  }

  /** The document of an object: cut, when it is a collection that is given by its kind. */
  #document(object: object, kind: Kind | undefined, at: Path): Uint8Array {
    const doc = this.#met.begin(object);
    return kind === undefined ? this.#whole(object, at, doc) : this.#cut(object, kind, at, doc);
  }

  #whole(object: object, at: Path, doc: number): Uint8Array {
    return this.#write(object, at, {
      embed: (child, path) => {
        if (child !== object && this.#context.shared.has(child)) return this.#apart(child, path());
        this.#met.meet(child, doc);
        return undefined;
      },
      enter: (child) => this.#meet(child, doc),
      refer: () => {},
    });
  }

  /** The document of a collection, or of what wraps one, whose items are documents of their own. */
  #cut(object: object, kind: Kind, at: Path, doc: number): Uint8Array {
    const mayBeUnnamed = hasPlainForm(object, kind);
    const items: Slot[] = [];
    const run = kind === "list" ? new PieceRun(items) : undefined;
    const bytes = this.#write(object, at, {
      embed: (child, path) => {
        if (child === object && items.length === 0) return undefined;
        if (run !== undefined && this.#isInPiece(run, child, path)) return UNNAMED;
        const item = this.#item(child, path, kind, mayBeUnnamed);
        items.push(item);
        return item.bytes;
      },
      enter: (child) => this.#meet(child, doc),
      refer: () => void (this.isCyclic = true),
    });
    if (run !== undefined) this.#leave(run);
    if (kind === "wrapper" || this.#isInVain || this.#problems.length > 0) return bytes;
    const slots = slotsOf(kind, bytes, items, this.#context.name);
    if (slots !== undefined) return joinPieces(kind, slots, this.#collected);
    for (const item of items) this.#collected.refer(item);
    return bytes;
  }

  /** Whether the next element of a list belongs to a piece that may be taken over as a whole. */
  #isInPiece(run: PieceRun, element: object, at: () => Path): boolean {
    if (run.piece !== undefined) {
      if (run.take(element, at)) {
        if (run.isDone) this.#met.keepPiece(run.end());
        return true;
      }
      this.#leave(run);
    }
    const { known } = this.#context;
    const piece = known?.elements.findPiece(element, known.generation, this.#hooks.omit);
    if (piece === undefined || this.#met.keepsPiece(piece)) return false;
    if (this.#rewritten.size > 0 && piece.items.some((item) => this.#rewritten.has(item)))
      return false;
    run.begin(piece, at);
    return this.#isInPiece(run, element, at);
  }

  /** A piece is not taken over to its end: each of its elements is an item of its own again. */
  #leave(run: PieceRun): void {
    const { known } = this.#context;
    if (run.piece === undefined || known === undefined) return;
    for (const [slot, element] of run.leave(known.elements.split(run.piece)))
      this.#met.keep(slot.object as object, element);
  }

  /** An object that would not be written: one that has an identity is. */
  #meet(object: object, doc: number): boolean {
    if (this.#context.shared.has(object)) return false;
    this.#met.meet(object, doc);
    return true;
  }

  #item(object: object, at: () => Path, parentKind: Kind, mayBeUnnamed: boolean): Slot {
    if (this.#context.shared.has(object)) {
      const slot = new Slot(object, this.#apart(object, at()));
      slot.isApart = true;
      return slot;
    }
    const known = this.#find(object);
    if (known !== undefined && (known.digest !== undefined || mayBeUnnamed)) {
      this.#met.keep(object, known);
      return new Slot(object, known.bytes ?? UNNAMED, known);
    }
    if (this.#met.has(object)) {
      this.#met.share(object);
      return new Slot(object, NIL);
    }
    // What is wrapped takes the place of what wraps it.
    const isWrapped = parentKind === "wrapper";
    const omitted = this.#omitted.length;
    const part = this.#element(object, at(), isWrapped);
    // With something left out it is not what the object is.
    const learned = this.#omitted.length === omitted ? object : undefined;
    const slot = new Slot(learned, part.document);
    slot.isIndex = part.isIndex;
    if (!isWrapped && part.document.length >= MIN_PART) slot.becomes(part, this.#context.name);
    return slot;
  }

  /** The part that an element would be. */
  #element(object: object, at: Path, mustOpen = false): Part {
    const kind = kindOf(object);
    const isOpen = kind !== undefined && (mustOpen || opens(object, kind));
    const document = isSend(object)
      ? this.#send(object, at)
      : this.#document(object, isOpen ? kind : undefined, at);
    return { ...plainPart(document), isIndex: isOpen && partsIn(document).length > 0 };
  }

  /**
   * A Send is a value of its own wherever it stands: that is how it is stored when it is written. It
   * may have objects in common with what stands beside it, though not with other Sends.
   */
  #send(object: object, at: Path): Uint8Array {
    if (this.#around.has(object)) {
      this.isCyclic = true;
      return NIL;
    }
    let value: CutValue | undefined;
    try {
      const around = new Set(this.#around).add(object);
      value = cutValue(object, { ...this.#hooks, at }, this.#context, around);
    } catch (error) {
      return this.#note(error);
    }
    if (value === undefined) {
      // What it has in common with others is not known then.
      this.isCyclic = true;
      return NIL;
    }
    this.#collected.addAll(value.parts, value.batches);
    this.#met.addSend(object, value.met);
    return value.root;
  }

  /** What stands for an object wherever it is met. */
  #apart(object: object, at: Path): Uint8Array {
    const { shared, name } = this.#context;
    this.#met.claim(object);
    if (this.#shared.has(object)) {
      const bytes = this.#shared.get(object);
      if (bytes === undefined) this.isCyclic = true;
      return bytes ?? NIL;
    }
    const unchanged = this.#find(object);
    if (unchanged?.bytes !== undefined && unchanged.isShared) {
      this.#met.keepApart(object, unchanged);
      this.#shared.set(object, unchanged.bytes);
      return unchanged.bytes;
    }
    this.#shared.set(object, undefined);
    const omitted = this.#omitted.length;
    const part = { ...this.#element(object, at), identity: shared.identity(object) };
    const digest = name(part);
    const learned = this.#omitted.length === omitted ? object : undefined;
    this.#collected.add(learned, part, digest);
    const bytes = reference(digest);
    this.#shared.set(object, bytes);
    return bytes;
  }

  /** Write an element after all that is known. */
  #again(object: object): Part {
    this.#met.rewrite(object);
    return this.#element(object, this.#hooks.at ?? []);
  }

  #find(object: object): Known | undefined {
    const { known } = this.#context;
    if (known === undefined || this.#rewritten.has(object)) return undefined;
    return known.elements.find(object, known.generation, this.#hooks.omit);
  }

  #write(value: unknown, at: Path, cutter?: Cutter): Uint8Array {
    const { omit } = this.#hooks;
    try {
      return this.#context.serializer.write(value, { at, omit, onOmit: this.#onOmit, cutter })
        .bytes;
    } catch (error) {
      return this.#note(error);
    }
  }

  /** Every place that can't be stored is told of, not just the first. */
  #note(error: unknown): Uint8Array {
    if (!SerdeError.is(error) || error.code === "limit_exceeded") throw error;
    this.#problems.push(...error.problems);
    return NIL;
  }
}
