/** Reads and edits the rules of CSS styles for forms. */
import { type CssDeclaration, type CssItem, type CssRule, readCss, type TextRange } from './css-tree.ts';
import { type FilterRows, formatSelector, parseSelector } from './filter-rows.ts';
import type { TextEdit } from './text-edit.ts';
import {
  type FieldName,
  type FieldState,
  fieldNames,
  isFieldValue,
  type VisualRule,
  type VisualStyle,
  valueKinds,
} from './visual-style.ts';

/** Fields of marks are in a nested rule. */
const MARK = ':mark';

interface FieldPlace {
  readonly isInMark: boolean;
  readonly property: string;
}

const markPlaces: Readonly<Partial<Record<FieldName, string>>> = {
  'mark-fill': 'fill',
  'mark-stroke': 'stroke',
  'mark-stroke-width': 'stroke-width',
};

function getPlace(field: FieldName): FieldPlace {
  const property = markPlaces[field];
  return property === undefined ? { isInMark: false, property: field } : { isInMark: true, property };
}

export function readVisualCss(text: string): VisualStyle | undefined {
  const items = readCss(text);
  if (items === undefined) return undefined;
  const rules = listRules(text, items);
  return {
    rules: rules.map((rule) => readRule(text, rule)),
    byHand: items.filter((item) => !rules.includes(item as CssRule)),
  };
}

/** Rules for the symbols of other rules have a colon outside of brackets in their selector. */
function listRules(text: string, items: readonly CssItem[]): readonly CssRule[] {
  return items.filter((item): item is CssRule => {
    if (item.kind !== 'rule') return false;
    const selector = text.slice(item.selector.from, item.selector.to);
    return !selector.replaceAll(/\[(?:[^\]"']|"[^"]*"|'[^']*')*\]|"[^"]*"|'[^']*'/g, '').includes(':');
  });
}

function readRule(text: string, rule: CssRule): VisualRule {
  const found = new Map<FieldName, FieldState>();
  const shown = new Set<CssItem>();
  const mark = findMark(text, rule);
  for (const field of fieldNames) {
    const declaration = findDeclaration(text, rule, field);
    if (declaration === undefined) continue;
    const state = readState(text, field, declaration);
    found.set(field, state);
    if (state.kind === 'value') shown.add(declaration);
  }
  const others = (items: readonly CssItem[]): readonly TextRange[] =>
    items.filter((item) => !shown.has(item) && item !== mark);
  const selector = text.slice(rule.selector.from, rule.selector.to);
  return {
    from: rule.from,
    to: rule.to,
    title: readTitle(text, rule),
    condition: selector === '*' ? '' : selector,
    filter: parseSelector(selector)?.rows,
    fields: found,
    byHand: [...others(rule.items), ...others(mark?.items ?? [])],
  };
}

function readTitle(text: string, { comments, selector }: CssRule): string {
  const all = [...comments.map(({ from, to }) => text.slice(from, to)), text.slice(selector.from, selector.to)].join(
    ' ',
  );
  return /@title\s+([^\n*]+)/.exec(all)?.[1]?.trim() ?? '';
}

function findMark(text: string, { items }: CssRule): CssRule | undefined {
  return items.findLast(
    (item): item is CssRule => item.kind === 'rule' && text.slice(item.selector.from, item.selector.to) === MARK,
  );
}

/** The last one counts. */
function findDeclaration(text: string, rule: CssRule, field: FieldName): CssDeclaration | undefined {
  const { isInMark, property } = getPlace(field);
  const items = isInMark ? (findMark(text, rule)?.items ?? []) : rule.items;
  return items.findLast((item): item is CssDeclaration => item.kind === 'declaration' && item.name === property);
}

function readState(text: string, field: FieldName, { value }: CssDeclaration): FieldState {
  const parsed = parseValue(field, text.slice(value.from, value.to));
  return parsed !== undefined && isFieldValue(field, parsed)
    ? { kind: 'value', value: parsed }
    : { kind: 'by hand', range: value };
}

function parseValue(field: FieldName, written: string): string | undefined {
  switch (valueKinds[field]) {
    case 'mark':
      return /^symbol\(\s*(["']?)([^"'()]*)\1\s*\)$/.exec(written)?.[2];
    case 'attribute':
      return /^\[\s*("?)(\w+)\1\s*\]$/.exec(written)?.[2];
    case 'text':
      return /^(?:"([^"\\]*)"|'([^'\\]*)'|([\w-]+))$/
        .exec(written)
        ?.slice(1)
        .find((part) => part !== undefined);
    case 'number':
      return written.replace(/px$/, '');
    case 'color':
    case 'share':
    case 'numbers':
    case 'weight':
      return written;
  }
}

function formatValue(field: FieldName, value: string): string {
  switch (valueKinds[field]) {
    case 'mark':
      return `symbol('${value}')`;
    case 'attribute':
      return `[${value}]`;
    case 'text':
      return `'${value}'`;
    default:
      return value;
  }
}

/** Sets a field of a rule, or removes it without a value. */
export function editCssField(
  text: string,
  index: number,
  field: FieldName,
  value: string | undefined,
): TextEdit | undefined {
  const rule = listRules(text, readCss(text) ?? [])[index];
  if (rule === undefined) return undefined;
  const declaration = findDeclaration(text, rule, field);
  const mark = findMark(text, rule);
  const { isInMark, property } = getPlace(field);
  if (declaration !== undefined) {
    if (value === undefined) {
      const isWholeMark = isInMark && mark?.items.length === 1 && hasNoComments(text, mark);
      return removeItem(text, isWholeMark ? mark : declaration);
    }
    return {
      ...declaration.value,
      from: declaration.value.from,
      to: declaration.value.to,
      insert: formatValue(field, value),
    };
  }
  if (value === undefined) return undefined;
  const line = `${property}: ${formatValue(field, value)};`;
  return isInMark && mark === undefined
    ? insertItem(text, rule, `${MARK} { ${line} }`)
    : insertItem(text, isInMark && mark !== undefined ? mark : rule, line);
}

function hasNoComments(text: string, { body }: CssRule): boolean {
  return !text.slice(body.from, body.to).includes('/*');
}

function removeItem(text: string, { from, to }: TextRange): TextEdit {
  const [space = ''] = /\s*$/.exec(text.slice(0, from)) ?? [];
  return { from: from - space.length, to, insert: '' };
}

/** After the last item, or before the first one if the last has no semicolon. */
function insertItem(text: string, rule: CssRule, item: string): TextEdit {
  const last = rule.items.at(-1);
  const isClosed = last === undefined || last.kind !== 'declaration' || last.hasEnd;
  const at = last === undefined || !isClosed ? rule.body.from : last.to;
  return { from: at, to: at, insert: `${findSpace(text, rule)}${item}` };
}

/** The space before the items of the rule. */
function findSpace(text: string, { body, items }: CssRule): string {
  const [first] = items;
  if (first !== undefined) {
    const [space = ''] = /\s*$/.exec(text.slice(body.from, first.from)) ?? [];
    return /^\n?[^\n]*$/.test(space) && space !== ''
      ? space
      : space.includes('\n')
        ? `\n${space.slice(space.lastIndexOf('\n') + 1)}`
        : ' ';
  }
  const inside = text.slice(body.from, body.to);
  return inside.includes('\n') ? '\n  ' : ' ';
}

/** Appends a rule that applies to all features. */
export function appendCssRule(text: string, declarations: Readonly<Partial<Record<FieldName, string>>>): TextEdit {
  const lines = Object.entries(declarations).map(([field, value]) => {
    const { isInMark, property } = getPlace(field as FieldName);
    const line = `${property}: ${formatValue(field as FieldName, value)};`;
    return isInMark ? `  ${MARK} { ${line} }` : `  ${line}`;
  });
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return { from: text.length, to: text.length, insert: `${gap}* {\n${lines.join('\n')}\n}\n` };
}

export function removeCssRule(text: string, index: number): TextEdit | undefined {
  const rule = listRules(text, readCss(text) ?? [])[index];
  return rule && removeItem(text, findRange(text, rule));
}

/** With the comment that has its title. */
function findRange(text: string, rule: CssRule): TextRange {
  return { from: findTitleComment(text, rule)?.from ?? rule.from, to: rule.to };
}

function findTitleComment(text: string, { comments }: CssRule): TextRange | undefined {
  return comments.find(({ from, to }) => text.slice(from, to).includes('@title'));
}

/** Replaces the title of a rule, or adds a comment with one. */
export function editCssTitle(text: string, index: number, title: string): TextEdit | undefined {
  const rule = listRules(text, readCss(text) ?? [])[index];
  if (rule === undefined) return undefined;
  // Nothing may end the comment.
  const clean = title.replaceAll(/[*\s]+/g, ' ').trim();
  const { from } = findRange(text, rule);
  const written = /@title[ \t]+([^\n*]*)/.exec(text.slice(from, rule.selector.to));
  if (written?.[1] !== undefined) {
    const start = from + written.index + written[0].length - written[1].length;
    return { from: start, to: start + written[1].trimEnd().length, insert: clean };
  }
  return clean === '' ? undefined : { from: rule.from, to: rule.from, insert: `/* @title ${clean} */\n` };
}

/** The places of a rule and of the next one, with their titles. */
export function findCssPair(text: string, index: number): readonly [TextRange, TextRange] | undefined {
  const [first, second] = listRules(text, readCss(text) ?? []).slice(index, index + 2);
  return first === undefined || second === undefined ? undefined : [findRange(text, first), findRange(text, second)];
}

export function editCssCondition(text: string, index: number, condition: string): TextEdit | undefined {
  const rule = listRules(text, readCss(text) ?? [])[index];
  if (rule === undefined || text.slice(rule.selector.from, rule.selector.to).includes('/*')) return undefined;
  return { from: rule.selector.from, to: rule.selector.to, insert: condition.trim() === '' ? '*' : condition.trim() };
}

/** Replaces the filter of a rule and keeps its scales; undefined if it is written by hand. */
export function editCssFilter(text: string, index: number, rows: FilterRows): TextEdit | undefined {
  const rule = listRules(text, readCss(text) ?? [])[index];
  const parsed = rule && parseSelector(text.slice(rule.selector.from, rule.selector.to));
  return rule && parsed && { ...rule.selector, insert: formatSelector({ ...parsed, rows }) };
}
