/** The tree of the XML output. */

export interface OutputElement {
  /** With its prefix. */
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: readonly OutputNode[];
  /** Whether white space between its children is significant. */
  readonly isMixed: boolean;
}

/** An element, text to be escaped, or a CDATA section. */
export type OutputNode = OutputElement | string | { readonly cdata: string };

type Attributes = Readonly<Record<string, string | undefined>>;

/** Creates an element with child elements; omits undefined children. */
export function createElement(
  name: string,
  children: readonly (OutputNode | undefined)[] = [],
  attributes: Attributes = {},
): OutputElement {
  return {
    name,
    attributes: Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined),
    children: children.filter((child) => child !== undefined),
    isMixed: false,
  };
}

/** Creates an element in which every character is significant. */
export function createMixedElement(
  name: string,
  children: readonly OutputNode[],
  attributes: Attributes = {},
): OutputElement {
  return { ...createElement(name, children, attributes), isMixed: true };
}

/** Creates an element with text. */
export function createTextElement(name: string, text: string, attributes: Attributes = {}): OutputElement {
  return createMixedElement(name, [text], attributes);
}

/** Creates an element with text; returns undefined if there is no text. */
export function createOptionalText(
  name: string,
  text: string | number | boolean | undefined,
): OutputElement | undefined {
  return text === undefined ? undefined : createTextElement(name, String(text));
}
