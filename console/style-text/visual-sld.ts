/** Reads and edits the rules of SLD styles for forms, in both versions. */
import type { TextRange } from './css-tree.ts';
import { readFilterRows, writeFilter } from './filter-elements.ts';
import type { FilterRows } from './filter-rows.ts';
import { sldChildren } from './grammar.ts';
import type { TextEdit } from './text-edit.ts';
import {
  type FieldName,
  type FieldState,
  fieldNames,
  isFieldValue,
  type VisualRule,
  type VisualStyle,
} from './visual-style.ts';
import { decodeXml, encodeXml, findAll, readAttribute, readXml, type XmlElement } from './xml-tree.ts';

/** `@fill` is the CssParameter or SvgParameter of that name. */
const paths: Readonly<Record<FieldName, readonly string[]>> = {
  fill: ['PolygonSymbolizer', 'Fill', '@fill'],
  'fill-opacity': ['PolygonSymbolizer', 'Fill', '@fill-opacity'],
  stroke: ['', 'Stroke', '@stroke'],
  'stroke-width': ['', 'Stroke', '@stroke-width'],
  'stroke-opacity': ['', 'Stroke', '@stroke-opacity'],
  'stroke-dasharray': ['', 'Stroke', '@stroke-dasharray'],
  mark: ['PointSymbolizer', 'Graphic', 'Mark', 'WellKnownName'],
  'mark-size': ['PointSymbolizer', 'Graphic', 'Size'],
  'mark-rotation': ['PointSymbolizer', 'Graphic', 'Rotation'],
  'mark-fill': ['PointSymbolizer', 'Graphic', 'Mark', 'Fill', '@fill'],
  'mark-stroke': ['PointSymbolizer', 'Graphic', 'Mark', 'Stroke', '@stroke'],
  'mark-stroke-width': ['PointSymbolizer', 'Graphic', 'Mark', 'Stroke', '@stroke-width'],
  label: ['TextSymbolizer', 'Label', 'PropertyName'],
  'font-family': ['TextSymbolizer', 'Font', '@font-family'],
  'font-size': ['TextSymbolizer', 'Font', '@font-size'],
  'font-weight': ['TextSymbolizer', 'Font', '@font-weight'],
  'font-fill': ['TextSymbolizer', 'Fill', '@fill'],
  'halo-color': ['TextSymbolizer', 'Halo', 'Fill', '@fill'],
  'halo-radius': ['TextSymbolizer', 'Halo', 'Radius'],
};

/** Strokes belong to the polygon symbolizer, or to the line symbolizer if only that one has or can have one. */
function getPath(rule: XmlElement, field: FieldName): readonly string[] {
  const [first = '', ...others] = paths[field];
  if (first !== '') return paths[field];
  const polygon = rule.children.find(({ name }) => name === 'PolygonSymbolizer');
  const line = rule.children.find(({ name }) => name === 'LineSymbolizer');
  const isOfPolygon =
    polygon?.children.some(({ name }) => name === 'Stroke') || (polygon !== undefined && line === undefined);
  return [isOfPolygon ? 'PolygonSymbolizer' : 'LineSymbolizer', ...others];
}

function isStep(text: string, element: XmlElement, step: string): boolean {
  if (!step.startsWith('@')) return element.name === step;
  return /^(?:Css|Svg)Parameter$/.test(element.name) && readAttribute(text, element, 'name') === step.slice(1);
}

/** The elements on the path that exist, from the rule down. */
function findPath(text: string, rule: XmlElement, path: readonly string[]): readonly XmlElement[] {
  const found = [rule];
  for (const step of path) {
    const next = found.at(-1)?.children.find((child) => isStep(text, child, step));
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}

function findField(text: string, rule: XmlElement, field: FieldName): XmlElement | undefined {
  const path = getPath(rule, field);
  const found = findPath(text, rule, path);
  return found.length === path.length + 1 ? found.at(-1) : undefined;
}

/** The text of the element, or of the only literal in it. */
function findText(text: string, element: XmlElement): TextRange | undefined {
  const [child, ...others] = element.children;
  const inner = child?.name === 'Literal' && others.length === 0 && child.children.length === 0 ? child : element;
  if (inner === element && child !== undefined) return undefined;
  if (
    inner !== element &&
    text.slice(element.content.from, child?.from).trim() + text.slice(child?.to, element.content.to).trim() !== ''
  )
    return undefined;
  const written = text.slice(inner.content.from, inner.content.to);
  if (inner.isSelfClosing || (/<|&/.test(written) && decodeXml(written).includes('\n')) || written.includes('<'))
    return undefined;
  const [before = ''] = /^\s*/.exec(written) ?? [];
  const [after = ''] = /\s*$/.exec(written.slice(before.length)) ?? [];
  return { from: inner.content.from + before.length, to: inner.content.to - after.length };
}

export function readVisualSld(text: string): VisualStyle | undefined {
  const root = readXml(text);
  if (root === undefined || root.name !== 'StyledLayerDescriptor') return undefined;
  return {
    rules: findAll(root, 'Rule').map((rule) => readRule(text, rule)),
    byHand: ['Transformation', 'VendorOption', 'Semantics'].flatMap((name) =>
      findAll(root, 'FeatureTypeStyle').flatMap(({ children }) => children.filter((child) => child.name === name)),
    ),
  };
}

/** Elements that are shown in other ways. */
const headings = ['Name', 'Title', 'Description'];

function readRule(text: string, rule: XmlElement): VisualRule {
  const found = new Map<FieldName, FieldState>();
  const shown = new Set<XmlElement>();
  for (const field of fieldNames) {
    const path = findPath(text, rule, getPath(rule, field));
    const element = findField(text, rule, field);
    // Fields that are added later are added to these elements.
    for (const each of element === undefined ? path : path.slice(0, -1)) shown.add(each);
    if (element === undefined) continue;
    const range = findText(text, element);
    const value = range && decodeXml(text.slice(range.from, range.to));
    if (value !== undefined && isFieldValue(field, value)) {
      found.set(field, { kind: 'value', value });
      shown.add(element);
    } else {
      found.set(field, { kind: 'by hand', range: element });
    }
  }
  return {
    from: rule.from,
    to: rule.to,
    title: readHeading(text, rule),
    condition: rule.children.some(({ name }) => name === 'ElseFilter') ? 'else' : readFilter(text, rule),
    filter: readFilterRows(text, rule),
    fields: found,
    byHand: listOthers(rule, shown).filter(({ name, parent }) => parent !== rule || !headings.includes(name)),
  };
}

/** The largest elements of which nothing is shown, beside the elements that fields are added to. */
function listOthers(element: XmlElement, shown: ReadonlySet<XmlElement>): readonly XmlElement[] {
  return element.children.flatMap((child) => {
    if (!shown.has(child)) return [child];
    return listOthers(child, shown).filter(({ name, parent }) => name !== 'Literal' || parent !== child);
  });
}

function readHeading(text: string, rule: XmlElement): string {
  const title = findAll(rule, 'Title')[0] ?? rule.children.find(({ name }) => name === 'Name');
  return title === undefined ? '' : decodeXml(text.slice(title.content.from, title.content.to)).trim();
}

const signs: Readonly<Record<string, string>> = {
  PropertyIsEqualTo: '=',
  PropertyIsNotEqualTo: '<>',
  PropertyIsLessThan: '<',
  PropertyIsGreaterThan: '>',
  PropertyIsLessThanOrEqualTo: '<=',
  PropertyIsGreaterThanOrEqualTo: '>=',
};

/** A summary; filters beyond comparisons are written by hand. */
function readFilter(text: string, rule: XmlElement): string {
  const filter = rule.children.find(({ name }) => name === 'Filter');
  return filter === undefined ? '' : filter.children.map((each) => summarizeFilter(text, each)).join(' ');
}

function summarizeFilter(text: string, element: XmlElement): string {
  const sign = signs[element.name];
  const [one, other] = element.children;
  if (sign !== undefined && one !== undefined && other !== undefined) {
    return `${summarizeOperand(text, one)} ${sign} ${summarizeOperand(text, other)}`;
  }
  if (element.name === 'And' || element.name === 'Or') {
    return element.children.map((each) => summarizeFilter(text, each)).join(` ${element.name.toUpperCase()} `);
  }
  return '…';
}

function summarizeOperand(text: string, { children, content, name }: XmlElement): string {
  const value = decodeXml(text.slice(content.from, content.to)).trim();
  if (children.length > 0) return '…';
  return name === 'PropertyName' || name === 'ValueReference' || /^-?[\d.]+$/.test(value) ? value : `'${value}'`;
}

/** Sets a field of a rule, or removes it without a value. */
export function editSldField(
  text: string,
  index: number,
  field: FieldName,
  value: string | undefined,
): TextEdit | undefined {
  const root = readXml(text);
  const rule = root && findAll(root, 'Rule')[index];
  if (root === undefined || rule === undefined) return undefined;
  const element = findField(text, rule, field);
  if (element !== undefined) {
    if (value === undefined) return removeElement(text, rule, element);
    const range = findText(text, element);
    if (range !== undefined) return { from: range.from, to: range.to, insert: encodeXml(value) };
    return element.isSelfClosing || element.children.length > 0
      ? undefined
      : { from: element.content.from, to: element.content.to, insert: encodeXml(value) };
  }
  return value === undefined ? undefined : insertField(text, root, { rule, path: getPath(rule, field), value });
}

/** Removes the element, and the elements around it that would be empty. */
function removeElement(text: string, rule: XmlElement, element: XmlElement): TextEdit {
  let removed = element;
  for (let { parent } = removed; parent !== undefined && parent !== rule; { parent } = removed) {
    const rest = text.slice(parent.content.from, removed.from) + text.slice(removed.to, parent.content.to);
    if (rest.trim() !== '') break;
    removed = parent;
  }
  const [space = ''] = /\s*$/.exec(text.slice(0, removed.from)) ?? [];
  return { from: removed.from - space.length, to: removed.to, insert: '' };
}

interface NewField {
  readonly rule: XmlElement;
  readonly path: readonly string[];
  readonly value: string;
}

function insertField(text: string, root: XmlElement, { rule, path, value }: NewField): TextEdit {
  const found = findPath(text, rule, path);
  const parent = found.at(-1) ?? rule;
  const missing = path.slice(found.length - 1);
  const indent = findIndent(text, parent);
  const isOneLine = !text.slice(rule.from, rule.to).includes('\n');
  const space = isOneLine ? '' : `\n${indent}`;
  const markup = writeElements(missing, { root, text, prefix: parent.prefix, value, indent, isOneLine });
  if (parent.isSelfClosing) {
    const tag = text.slice(parent.open.from, parent.open.to).replace(/\s*\/>$/, '>');
    const end = isOneLine ? '' : `\n${indent.slice(0, -2)}`;
    return {
      from: parent.from,
      to: parent.to,
      insert: `${tag}${space}${markup}${end}</${parent.prefix}${parent.name}>`,
    };
  }
  const order = sldChildren[parent.name] ?? [];
  const rank = (name: string) =>
    order.indexOf(name.startsWith('@') ? 'CssParameter' : name.replace(/^SvgParameter$/, 'CssParameter'));
  const wanted = rank(missing[0] ?? '');
  const before = parent.children.findLast((child) => rank(child.name) <= wanted);
  const at = before?.to ?? parent.open.to;
  return { from: at, to: at, insert: `${space}${markup}` };
}

function findIndent(text: string, parent: XmlElement): string {
  const sample = parent.children[0];
  const [, ofChild] = /\n([ \t]*)$/.exec(text.slice(0, sample?.from ?? 0)) ?? [];
  if (ofChild !== undefined) return ofChild;
  const [, own = ''] = /\n([ \t]*)$/.exec(text.slice(0, parent.from)) ?? [];
  return `${own}  `;
}

interface Writing {
  readonly root: XmlElement;
  readonly text: string;
  readonly prefix: string;
  readonly value: string;
  readonly indent: string;
  readonly isOneLine: boolean;
}

function writeElements([step = '', ...inner]: readonly string[], writing: Writing): string {
  const { root, text, prefix, value, indent, isOneLine } = writing;
  const isNew = readAttribute(text, root, 'version') === '1.1.0';
  const tag = step.startsWith('@')
    ? `${prefix}${isNew ? 'Svg' : 'Css'}Parameter`
    : `${step === 'PropertyName' ? findFilterPrefix(text) : prefix}${step}`;
  const attribute = step.startsWith('@') ? ` name="${step.slice(1)}"` : '';
  if (inner.length === 0) return `<${tag}${attribute}>${encodeXml(value)}</${tag}>`;
  const [before, after] = isOneLine ? ['', ''] : [`\n${indent}  `, `\n${indent}`];
  return `<${tag}${attribute}>${before}${writeElements(inner, { ...writing, indent: `${indent}  ` })}${after}</${tag}>`;
}

/** The prefix of filters; documents without one get names without a prefix, which are read as well. */
function findFilterPrefix(text: string): string {
  const prefix = /\bxmlns:([\w.-]+)\s*=\s*["']http:\/\/www\.opengis\.net\/ogc["']/.exec(text)?.[1];
  return prefix === undefined ? '' : `${prefix}:`;
}

export function removeSldRule(text: string, index: number): TextEdit | undefined {
  const root = readXml(text);
  const rule = root && findAll(root, 'Rule')[index];
  return rule === undefined ? undefined : removeElement(text, rule.parent ?? rule, rule);
}

/** Appends a rule that applies to all features to the last feature type style. */
export function appendSldRule(
  text: string,
  values: Readonly<Partial<Record<FieldName, string>>>,
): TextEdit | undefined {
  const root = readXml(text);
  const style = root && findAll(root, 'FeatureTypeStyle').at(-1);
  if (style === undefined || style.isSelfClosing) return undefined;
  const at = style.children.findLast(({ name }) => name !== 'VendorOption')?.to ?? style.open.to;
  const indent = findIndent(text, style);
  const empty = `\n${indent}<${style.prefix}Rule>\n${indent}</${style.prefix}Rule>`;
  const index = findAll(root as XmlElement, 'Rule').filter(({ from }) => from < at).length;
  let drafted = text.slice(0, at) + empty + text.slice(at);
  for (const [field, value] of Object.entries(values)) {
    const edit = editSldField(drafted, index, field as FieldName, value);
    if (edit !== undefined) drafted = drafted.slice(0, edit.from) + edit.insert + drafted.slice(edit.to);
  }
  return { from: at, to: at, insert: drafted.slice(at, drafted.length - (text.length - at)) };
}

/** Replaces the title of a rule, or adds one; undefined if it is written in another way. */
export function editSldTitle(text: string, index: number, title: string): TextEdit | undefined {
  const root = readXml(text);
  const rule = root && findAll(root, 'Rule')[index];
  if (root === undefined || rule === undefined) return undefined;
  const path = readAttribute(text, root, 'version') === '1.1.0' ? ['Description', 'Title'] : ['Title'];
  const found = findPath(text, rule, path);
  const element = found.length === path.length + 1 ? found.at(-1) : undefined;
  if (element === undefined) return title === '' ? undefined : insertField(text, root, { rule, path, value: title });
  const range = findText(text, element);
  return range && { ...range, insert: encodeXml(title) };
}

/** The places of a rule and of the next one in the same feature type style. */
export function findSldPair(text: string, index: number): readonly [TextRange, TextRange] | undefined {
  const root = readXml(text);
  const [first, second] = root === undefined ? [] : findAll(root, 'Rule').slice(index, index + 2);
  return first === undefined || second === undefined || first.parent !== second.parent ? undefined : [first, second];
}

/** Replaces the filter of a rule; undefined if it is written by hand. */
export function editSldFilter(text: string, index: number, rows: FilterRows): TextEdit | undefined {
  const root = readXml(text);
  const rule = root && findAll(root, 'Rule')[index];
  if (root === undefined || rule === undefined || readFilterRows(text, rule) === undefined) return undefined;
  const element = rule.children.find(({ name }) => name === 'Filter');
  if (rows.rows.length === 0) return element && removeElement(text, rule, element);
  const markup = writeFilter(rows, {
    prefix: element?.prefix ?? findFilterPrefix(text),
    indent: findIndent(text, rule),
    isOneLine: !text.slice(rule.from, rule.to).includes('\n'),
    isNew: readAttribute(text, root, 'version') === '1.1.0',
  });
  if (element !== undefined) return { from: element.from, to: element.to, insert: markup };
  const edit = insertField(text, root, { rule, path: ['Filter'], value: '' });
  return { ...edit, insert: edit.insert.replace(/<([\w.:-]*Filter)><\/\1>/, () => markup) };
}
