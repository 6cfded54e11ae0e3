/**
 * Reads rules as soon as they end, so that the tree of a large style is never complete in memory: collecting it would
 * take longer than building it. Applies to rules without errors in documents that declare their version; all others
 * wait for the end of the document.
 */
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Rule } from '../model/styled-layer-descriptor.ts';
import { Complaints } from './document/complaints.ts';
import { isStyleNamespace } from './document/namespaces.ts';
import { findDeclaredVersion } from './document/sld-version.ts';
import { checkStructure } from './grammar/check-structure.ts';
import { readRule } from './read/style.ts';

/** The ancestors of a rule, from the root: elsewhere it may be part of a foreign element. */
const allowedAncestors: readonly ReadonlySet<string>[] = [
  new Set(['StyledLayerDescriptor']),
  new Set(['NamedLayer', 'UserLayer']),
  new Set(['UserStyle']),
  new Set(['FeatureTypeStyle', 'CoverageStyle']),
];

export class StreamingRuleReader {
  readonly #isStrict: boolean;
  readonly #rules = new Map<XmlElement, Rule>();

  constructor(isStrict: boolean) {
    this.#isStrict = isStrict;
  }

  /** Returns the rule that was read from an element. */
  get(element: XmlElement): Rule | undefined {
    return this.#rules.get(element);
  }

  /** Returns the replacement of a closed element: an empty one for a rule that was read. */
  readClosedElement(element: XmlElement, open: readonly XmlElement[]): XmlElement {
    const [root] = open;
    if (element.local !== 'Rule' || root === undefined || !isStyleRule(element, open)) return element;
    const version = findDeclaredVersion(root);
    if (version === undefined) return element;

    const complaints = new Complaints(element, this.#isStrict);
    const rule = readRule({ complaints }, checkStructure(element, version, complaints));
    if (rule === undefined || !complaints.isEmpty()) return element;
    const empty = { ...element, children: [] };
    this.#rules.set(empty, rule);
    return empty;
  }
}

function isStyleRule({ uri }: XmlElement, open: readonly XmlElement[]): boolean {
  return (
    isStyleNamespace(uri) &&
    open.length === allowedAncestors.length &&
    open.every((each, depth) => allowedAncestors[depth]?.has(each.local) && isStyleNamespace(each.uri))
  );
}
