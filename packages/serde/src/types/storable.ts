/**
 * A state all of whose fields can be stored: a TypeScript error that names the field otherwise.
 *
 * It takes a Zod object (4 or 3), a `StateSchema`, an `Annotation.Root`, or the type of a state. Fields
 * that are never stored are named as the second parameter. Found are functions, promises, symbols and
 * weak collections, in lists, maps and records too; an object with methods is taken for an instance of
 * a class, which `types` may allow.
 *
 * @example
 * ```ts
 * const State = z.object({ question: z.string(), onDone: z.custom<() => void>() });
 * type Checked = StorableState<typeof State>;
 * // Type 'ZodObject<…>' does not satisfy the constraint '"onDone: a function can't be stored"'
 * ```
 */
export type StorableState<S extends Verdict<S, Untracked>, Untracked extends string = never> = S;

/** `unknown`, which everything satisfies, or a text that says which field can't be stored. */
type Verdict<S, Untracked extends string> = [Bad<Omit<StateOf<S>, Untracked>>] extends [never]
  ? unknown
  : `${Bad<Omit<StateOf<S>, Untracked>>} can't be stored`;

type StateOf<S> = S extends { readonly State: infer T }
  ? T
  : S extends { readonly _output: infer T }
    ? T
    : S;

/** Every field that can't be stored, as `path: kind`. */
type Bad<T> = { [K in keyof T & string]-?: BadAt<T[K], K, []> }[keyof T & string];

/** What of a value of this type can't be stored; five levels deep, where types may refer to themselves. */
type BadAt<T, Path extends string, Depth extends unknown[]> = Depth["length"] extends 5
  ? never
  : IsAny<T> extends true
    ? never
    : T extends Kept
      ? never
      : T extends (...args: never[]) => unknown
        ? `${Path}: a function`
        : T extends symbol
          ? `${Path}: a symbol`
          : T extends PromiseLike<unknown>
            ? `${Path}: a promise`
            : T extends ReadonlyMap<infer K, infer V>
              ? BadAt<K, `${Path}.keys()`, [...Depth, 0]> | BadAt<V, `${Path}[]`, [...Depth, 0]>
              : T extends ReadonlySet<infer V> | readonly (infer V)[]
                ? BadAt<V, `${Path}[]`, [...Depth, 0]>
                : // A Map has all that a WeakMap has, so these come behind.
                  T extends WeakMap<never, unknown> | WeakSet<never> | WeakRef<never>
                  ? `${Path}: a weak collection`
                  : T extends object
                    ? BadIn<T, Path, [...Depth, 0]>
                    : never;

/** An object with methods is an instance of a class; how that is stored is its definition's business. */
type BadIn<T extends object, Path extends string, Depth extends unknown[]> =
  HasMethods<T> extends true
    ? never
    : { [K in keyof T & string]-?: BadAt<T[K], `${Path}.${K}`, Depth> }[keyof T & string];

type HasMethods<T> = true extends {
  [K in keyof T]-?: IsAny<T[K]> extends true
    ? false
    : [T[K]] extends [(...args: never[]) => unknown]
      ? true
      : false;
}[keyof T]
  ? true
  : false;

type Kept = string | number | bigint | boolean | null | undefined | void;

type IsAny<T> = 0 extends 1 & T ? true : false;
