import { type DefinedType, defineType } from "../types/definition.ts";

/** A class of ids that is built of the text which its `toHexString` gives: that of MongoDB's bson. */
export type ObjectIdClass<T extends { toHexString(): string }> = new (hex: string) => T;

/**
 * `ObjectId` of MongoDB's driver, stored under the name that it has in Python.
 *
 * @example
 * ```ts
 * import { ObjectId } from "mongodb";
 *
 * new MsgpackSerializer({ types: [objectId(ObjectId)] });
 * ```
 */
export function objectId<T extends { toHexString(): string }>(
  ObjectId: ObjectIdClass<T>,
): DefinedType<T> {
  return defineType<T, string>({
    module: "bson.objectid",
    name: "ObjectId",
    class: ObjectId,
    dump: (value) => value.toHexString(),
    load: (hex) => new ObjectId(hex),
  });
}
