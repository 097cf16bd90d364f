type Fields = Record<PropertyKey, unknown>;

/** Makes a message of one class from its arguments, defaults included, as `lc_kwargs` keeps them. */
export type MessageMaker = new (kwargs: Fields) => Fields;

const BRAND = Symbol.for("langchain.message");

/**
 * Constructors for the common messages that set each field by its name: an engine makes such an object
 * several times faster than one that gets its fields from a list, and loading a thread is mostly that.
 * They say nothing new about LangChain: see {@link messageMaker}.
 */
const CANDIDATES = [
  (type: unknown) =>
    function PlainMessage(this: Fields, kwargs: Fields): void {
      this.lc_serializable = true;
      this.lc_kwargs = kwargs;
      this.lc_namespace = ["langchain_core", "messages"];
      this.id = kwargs.id;
      this.name = kwargs.name;
      this.content = kwargs.content;
      this.additional_kwargs = kwargs.additional_kwargs;
      this.response_metadata = kwargs.response_metadata;
      this.type = type;
      this[BRAND] = true;
    },
  (type: unknown) =>
    function AIMessage(this: Fields, kwargs: Fields): void {
      this.lc_serializable = true;
      this.lc_kwargs = kwargs;
      this.lc_namespace = ["langchain_core", "messages"];
      this.id = kwargs.id;
      this.name = kwargs.name;
      this.content = kwargs.content;
      this.additional_kwargs = kwargs.additional_kwargs;
      this.response_metadata = kwargs.response_metadata;
      this.type = type;
      this.tool_calls = kwargs.tool_calls;
      this.invalid_tool_calls = kwargs.invalid_tool_calls;
      this.usage_metadata = kwargs.usage_metadata;
      this[BRAND] = true;
    },
  (type: unknown) =>
    function ToolMessage(this: Fields, kwargs: Fields): void {
      this.lc_serializable = true;
      this.lc_kwargs = kwargs;
      this.lc_namespace = ["langchain_core", "messages"];
      this.id = kwargs.id;
      this.name = kwargs.name;
      this.content = kwargs.content;
      this.additional_kwargs = kwargs.additional_kwargs;
      this.response_metadata = kwargs.response_metadata;
      this.lc_direct_tool_output = true;
      this.type = type;
      this.status = kwargs.status;
      this.tool_call_id = kwargs.tool_call_id;
      this.metadata = kwargs.metadata;
      this.artifact = kwargs.artifact;
      this[BRAND] = true;
    },
];

/**
 * The maker for a class, or undefined: one counts only if it makes of any arguments what `reference`,
 * which goes by a real instance of the installed LangChain, makes of them.
 */
export function messageMaker(
  prototype: object,
  type: unknown,
  fields: Iterable<string>,
  reference: (kwargs: Fields) => Fields,
): MessageMaker | undefined {
  const full: Fields = Object.fromEntries([...fields].map((key) => [key, Symbol(key)]));
  for (const candidate of CANDIDATES) {
    const Maker = candidate(type) as unknown as { prototype: object } & MessageMaker;
    Maker.prototype = prototype;
    if ([{}, full].every((kwargs) => isSame(new Maker(kwargs), reference(kwargs)))) return Maker;
  }
  return undefined;
}

/** Whether two messages have the same fields in the same order. */
function isSame(left: Fields, right: Fields): boolean {
  const keys = Reflect.ownKeys(right);
  const found = Reflect.ownKeys(left);
  return (
    found.length === keys.length &&
    keys.every((key, i) => key === found[i] && isSameField(left[key], right[key]))
  );
}

/** Whether two values are the same, or two lists of the same names. */
function isSameField(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return Object.is(left, right);
  return left.length === right.length && left.every((item, i) => item === right[i]);
}
