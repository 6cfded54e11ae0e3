/** Addresses and names of symbols that contain ECQL in `${…}`: they are known only with a feature. */
import { readEcqlExpression } from '../../filter/ecql/reader.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { isExpression } from '../../filter/model/expression-contents.ts';
import { replaceInnerParts } from '../../filter/model/inner-parts.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { AddressPart, OnlineResource } from '../model/paint.ts';

/** Returns undefined for a text without expressions, or with an invalid one. */
function parseTemplate(text: string): readonly (string | Expression)[] | undefined {
  if (!text.includes('${')) return undefined;
  const parts: (string | Expression)[] = [];
  // The expressions are the odd parts.
  for (const [index, part] of text.split(/\$\{([^}]*)\}/).entries()) {
    if (index % 2 === 0) {
      parts.push(part);
      continue;
    }
    const expression = readEcqlExpression(part);
    if (expression.kind !== 'read') return undefined;
    parts.push(expression.value);
  }
  return parts;
}

/** Parses the expressions in names of marks and addresses of pictures. Returns the same object if it has none. */
export function parseTemplates<T extends object>(part: T): T {
  return parsePart(part) as T;
}

function parsePart(part: object): object {
  if (isExpression(part)) return part;
  if ('kind' in part && part.kind === 'online') return parseAddress(part as OnlineResource);
  return replaceInnerParts(part, (inner, key) => {
    // Filters have no addresses, but can have a hundred thousand parts.
    if (key === 'filter') return inner;
    return key === 'wellKnownName' ? parseName(inner as Expression) : parsePart(inner);
  });
}

function parseName(name: Expression): Expression {
  const parts = name.kind === 'literal' ? parseTemplate(name.value) : undefined;
  if (parts === undefined) return name;
  return {
    kind: 'concatenation',
    parts: parts.map((part) => (typeof part === 'string' ? createLiteral(part) : part)),
  };
}

function parseAddress(source: OnlineResource): OnlineResource {
  const parts = parseTemplate(source.href);
  if (parts === undefined) return source;
  const template = parts.map((part): AddressPart => (typeof part === 'string' ? { text: part } : { value: part }));
  return { ...source, template };
}

/** Returns the address of a picture; undefined if a value is missing or would leave its folder. */
export function expandAddress({ href, template }: OnlineResource): string | undefined {
  if (template === undefined) return href;
  let address = '';
  for (const { text, value } of template) {
    if (text !== undefined) {
      address += text;
      continue;
    }
    const written = value?.kind === 'literal' ? value.value : undefined;
    // The address is checked like any other; values add no path of their own.
    if (written === undefined || written.includes('..')) return undefined;
    address += encodeURIComponent(written.toWellFormed());
  }
  return address;
}
