/** The visual editor's operations in the language of the style. */
import type { TextRange } from './css-tree.ts';
import { type FilterRows, isWritable } from './filter-rows.ts';
import type { StyleLanguage } from './languages.ts';
import type { TextEdit } from './text-edit.ts';
import {
  appendCssRule,
  editCssCondition,
  editCssField,
  editCssFilter,
  editCssTitle,
  findCssPair,
  readVisualCss,
  removeCssRule,
} from './visual-css.ts';
import {
  appendSldRule,
  editSldField,
  editSldFilter,
  editSldTitle,
  findSldPair,
  readVisualSld,
  removeSldRule,
} from './visual-sld.ts';
import type { FieldName, VisualStyle } from './visual-style.ts';

/** Languages that have forms. */
export type VisualLanguage = Extract<StyleLanguage, 'css' | 'sld'>;

export function hasVisualEditor(language: StyleLanguage): language is VisualLanguage {
  return language === 'css' || language === 'sld';
}

/** Returns undefined for a text whose structure has errors. */
export function readVisualStyle(text: string, language: VisualLanguage): VisualStyle | undefined {
  return language === 'css' ? readVisualCss(text) : readVisualSld(text);
}

/** Sets a field of a rule, or removes it without a value; undefined if nothing changes or it is written by hand. */
export function editField(
  { text, language }: { readonly text: string; readonly language: VisualLanguage },
  rule: number,
  field: FieldName,
  value: string | undefined,
): TextEdit | undefined {
  if (readVisualStyle(text, language)?.rules[rule]?.fields.get(field)?.kind === 'by hand') return undefined;
  return language === 'css' ? editCssField(text, rule, field, value) : editSldField(text, rule, field, value);
}

export function appendRule(
  text: string,
  language: VisualLanguage,
  values: Readonly<Partial<Record<FieldName, string>>>,
): TextEdit | undefined {
  return language === 'css' ? appendCssRule(text, values) : appendSldRule(text, values);
}

export function removeRule(text: string, language: VisualLanguage, rule: number): TextEdit | undefined {
  return language === 'css' ? removeCssRule(text, rule) : removeSldRule(text, rule);
}

/** Replaces the filter of a rule by the rows of a form; undefined if it is written by hand or a row cannot be written. */
export function editFilter(
  text: string,
  language: VisualLanguage,
  rule: number,
  rows: FilterRows,
): TextEdit | undefined {
  if (!rows.rows.every(isWritable)) return undefined;
  return language === 'css' ? editCssFilter(text, rule, rows) : editSldFilter(text, rule, rows);
}

/** In CSS, conditions beyond rows are edited as text; in SLD they are elements. */
export function editCondition(
  text: string,
  language: VisualLanguage,
  rule: number,
  condition: string,
): TextEdit | undefined {
  return language === 'css' ? editCssCondition(text, rule, condition) : undefined;
}

export function editTitle(text: string, language: VisualLanguage, rule: number, title: string): TextEdit | undefined {
  const edit = language === 'css' ? editCssTitle(text, rule, title) : editSldTitle(text, rule, title);
  return edit === undefined || text.slice(edit.from, edit.to) === edit.insert ? undefined : edit;
}

/** Swaps a rule with the next one; undefined for the last one of its list. */
export function moveRuleDown(text: string, language: VisualLanguage, rule: number): TextEdit | undefined {
  const pair = language === 'css' ? findCssPair(text, rule) : findSldPair(text, rule);
  if (pair === undefined) return undefined;
  const [first, second] = pair;
  const show = ({ from, to }: TextRange) => text.slice(from, to);
  const between = text.slice(first.to, second.from);
  return { from: first.from, to: second.to, insert: `${show(second)}${between}${show(first)}` };
}
