/** The forms of the style editor: they change single ranges of the text and keep everything else. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendRule,
  editCondition,
  editField,
  editTitle,
  moveRuleDown,
  readVisualStyle,
  removeRule,
  type VisualLanguage,
} from '../../console/style-text/edit-style.ts';
import { applyEdit, invertEdit, type TextEdit } from '../../console/style-text/text-edit.ts';
import { fieldNames, type ValueKind, type VisualStyle, valueKinds } from '../../console/style-text/visual-style.ts';
import { readCss } from '../../src/styling/css/reader.ts';
import { readSld } from '../../src/styling/sld/reader.ts';

interface Sample {
  readonly name: string;
  readonly language: VisualLanguage;
  readonly text: string;
}

const folders = ['gallery/documents', 'styles/css/accepted', 'styles/css/forgiven'];

const samples: readonly Sample[] = folders.flatMap((folder) => {
  const root = new URL(`../${folder}/`, import.meta.url);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:css|sld)$/.test(name))
    .sort()
    .map(
      (name): Sample => ({
        name,
        language: name.endsWith('.css') ? 'css' : 'sld',
        text: readFileSync(new URL(name, root), 'utf8'),
      }),
    );
});

/** A value of each kind that no sample has. */
const values: Readonly<Record<ValueKind, string>> = {
  color: '#0a0b0c',
  number: '7.25',
  share: '0.35',
  mark: 'star_diamond',
  attribute: 'zz_name',
  text: 'Zapf Gothic',
  numbers: '9 3 1',
  weight: 'bold',
};

/** How long the campaign is. */
const runs = Number(process.env['STYLE_EDITS'] ?? 300);

function read({ text, language }: Pick<Sample, 'text' | 'language'>): VisualStyle {
  const style = readVisualStyle(text, language);
  if (style === undefined) throw new Error(`No structure in ${text}`);
  return style;
}

function listValues(style: VisualStyle): readonly string[] {
  return style.rules.flatMap(({ fields }, rule) =>
    [...fields].map(([field, state]) => `${rule} ${field} ${state.kind === 'value' ? state.value : state.kind}`),
  );
}

const accepts = (language: VisualLanguage, text: string): boolean => {
  try {
    if (language === 'css') readCss(text);
    else readSld(text);
    return true;
  } catch {
    return false;
  }
};

describe('the forms of styles', () => {
  it('read every style of the galleries', () => {
    const unread = samples.filter(({ text, language }) => readVisualStyle(text, language) === undefined);

    expect(samples.length).toBeGreaterThan(200);
    expect(unread.map(({ name }) => name)).toEqual([]);
    expect(samples.flatMap((sample) => listValues(read(sample))).length).toBeGreaterThan(500);
  });

  it('change one value and nothing else, and the old value restores the text', () => {
    const wrong: string[] = [];
    for (const { name, text, language } of samples) {
      const before = read({ text, language });
      for (const [rule, { fields }] of before.rules.entries()) {
        for (const [field, state] of fields) {
          if (state.kind !== 'value') continue;
          const value = values[valueKinds[field]];
          const edit = editField({ text, language }, rule, field, value);
          const changed = edit === undefined ? undefined : applyEdit(text, edit);
          const back =
            changed === undefined ? undefined : editField({ text: changed, language }, rule, field, state.value);
          const found = changed === undefined ? undefined : read({ text: changed, language });
          const expected = listValues(before).map((line) =>
            line === `${rule} ${field} ${state.value}` ? `${rule} ${field} ${value}` : line,
          );
          const isRight =
            changed !== undefined && JSON.stringify(found && listValues(found)) === JSON.stringify(expected);
          const isBack = changed !== undefined && back !== undefined && isSameStyle(applyEdit(changed, back), text);
          if (!isRight || !isBack) wrong.push(`${name} ${rule} ${field} ${isRight} ${isBack}`);
        }
      }
    }

    expect(wrong).toEqual([]);
  });

  it('keep every byte outside of the edit, every part written by hand, and validity; the reverse restores the text', () => {
    const anyEdit = fc.record({
      sample: fc.constantFrom(...samples),
      rule: fc.nat(5),
      field: fc.constantFrom(...fieldNames),
      isRemoved: fc.boolean(),
    });
    fc.assert(
      fc.property(anyEdit, ({ sample, rule, field, isRemoved }) => {
        const { text, language } = sample;
        const before = read(sample);
        const edit = editField(sample, rule, field, isRemoved ? undefined : values[valueKinds[field]]);
        if (edit === undefined) return;
        const after = applyEdit(text, edit);

        expect(applyEdit(after, invertEdit(text, edit))).toBe(text);
        expect(after.slice(0, edit.from)).toBe(text.slice(0, edit.from));
        expect(after.slice(edit.from + edit.insert.length)).toBe(text.slice(edit.to));
        const others = before.rules.flatMap(({ byHand }) => byHand);
        for (const { from, to } of others) expect(after).toContain(text.slice(from, to));
        // Without its only symbolizer, a style draws nothing and is invalid.
        expect(isRemoved || accepts(language, after) || !accepts(language, text)).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it('restore the text if a field is added and removed', () => {
    const wrong: string[] = [];
    for (const { name, text, language } of samples) {
      for (const [rule, { fields }] of read({ text, language }).rules.entries()) {
        for (const field of fieldNames) {
          if (fields.has(field)) continue;
          const edit = editField({ text, language }, rule, field, values[valueKinds[field]]);
          // An empty element such as <Stroke/> has a meaning, and is filled.
          if (edit !== undefined && edit.from < edit.to) continue;
          const added = edit === undefined ? undefined : applyEdit(text, edit);
          const removal =
            added === undefined ? undefined : editField({ text: added, language }, rule, field, undefined);
          if (added === undefined || removal === undefined || applyEdit(added, removal) !== text) {
            wrong.push(`${name} ${rule} ${field}`);
          }
        }
      }
    }

    expect(wrong).toEqual([]);
  });

  it('append and remove rules', () => {
    const apply = (text: string, edit: TextEdit | undefined) => (edit === undefined ? text : applyEdit(text, edit));
    const css = '* { fill: red }\n';
    const added = apply(css, appendRule(css, 'css', { stroke: '#112233', 'mark-fill': '#445566' }));

    expect(added).toBe('* { fill: red }\n\n* {\n  stroke: #112233;\n  :mark { fill: #445566; }\n}\n');
    expect(apply(added, removeRule(added, 'css', 1))).toBe('* { fill: red }\n');
    expect(apply(css, editCondition(css, 'css', 0, "[kind = 'a']"))).toBe("[kind = 'a'] { fill: red }\n");
    for (const { name, text, language } of samples.filter((sample) => sample.language === 'sld')) {
      const edit = appendRule(text, language, { fill: '#112233', label: 'name' });
      const more = apply(text, edit);
      const rules = read({ text, language }).rules.length;
      expect([name, read({ text: more, language }).rules.length]).toEqual([
        name,
        edit === undefined ? rules : rules + 1,
      ]);
      expect([name, accepts(language, more) || !accepts(language, text)]).toEqual([name, true]);
    }
  });

  it('move rules with their titles, change titles, and add missing ones', () => {
    const apply = (text: string, edit: TextEdit | undefined) => (edit === undefined ? text : applyEdit(text, edit));
    const css = '/* @title A */\n[a = 1] { fill: red }\n\n/* kept */\n* { fill: blue }\n';
    const moved = '* { fill: blue }\n\n/* kept */\n/* @title A */\n[a = 1] { fill: red }\n';

    expect(apply(css, moveRuleDown(css, 'css', 0))).toBe(moved);
    expect(moveRuleDown(css, 'css', 1)).toBeUndefined();
    expect(apply(css, editTitle(css, 'css', 0, 'B */ x'))).toBe(css.replace('title A', 'title B / x'));
    expect(apply(css, editTitle(css, 'css', 1, 'C'))).toBe(css.replace('* {', '/* @title C */\n* {'));
    for (const { name, text, language } of samples) {
      const { rules } = read({ text, language });
      const titled = apply(text, editTitle(text, language, 0, 'T <&> "x"'));
      const swapped = apply(text, moveRuleDown(text, language, 0));
      expect([name, read({ text: titled, language }).rules.length]).toEqual([name, rules.length]);
      expect([
        name,
        read({ text: swapped, language })
          .rules.map(({ condition }) => condition)
          .toSorted(),
      ]).toEqual([name, rules.map(({ condition }) => condition).toSorted()]);
      expect([name, apply(swapped, moveRuleDown(swapped, language, 0))]).toEqual([name, text]);
      for (const changed of [titled, swapped]) {
        expect([name, accepts(language, changed) || !accepts(language, text)]).toEqual([name, true]);
      }
    }
  });

  it('leave expressions and unknown parts to the text', () => {
    const text =
      "/* @title Tall */\n[height > 5] {\n  fill: [color]; stroke: red;\n  transform: vec:Centroid();\n  :fill { size: 5; }\n}\n@mode 'Flat';\n";
    const style = read({ text, language: 'css' });
    const show = ({ from, to }: { readonly from: number; readonly to: number }) => text.slice(from, to);
    const [rule] = style.rules;

    expect(rule?.title).toBe('Tall');
    expect(rule?.condition).toBe('[height > 5]');
    expect([...(rule?.fields ?? [])].map(([name, { kind }]) => `${name}: ${kind}`)).toEqual([
      'fill: by hand',
      'stroke: value',
    ]);
    expect(rule?.byHand.map(show)).toEqual(['fill: [color];', 'transform: vec:Centroid();', ':fill { size: 5; }']);
    expect(style.byHand.map(show)).toEqual(["@mode 'Flat';"]);
  });

  it('report nothing for texts whose structure has errors', () => {
    const broken = ['* { fill: red', '* fill: red }', "* { label: 'x }", '<a>', '<a></b>', 'text <', ''];
    const found = broken.map((text) => [
      text,
      readVisualStyle(text, text.startsWith('<') ? 'sld' : 'css')?.rules.length,
    ]);

    expect(found).toEqual(broken.map((text) => [text, text === '' ? 0 : undefined]));
  });
});

/** Units of pixels are the default: a form writes numbers without them. */
function isSameStyle(one: string, other: string): boolean {
  const normalize = (text: string) =>
    text
      .replaceAll(/(\d)px\b/g, '$1')
      .replaceAll(/symbol\(\s*["']?([\w:/]*)["']?\s*\)/g, 'symbol($1)')
      .replaceAll(/\[\s*"?(\w+)"?\s*\]/g, '[$1]')
      .replaceAll('"', "'")
      .replaceAll(/font-family: '?([\w -]+)'?/g, 'font-family: $1');
  return normalize(one) === normalize(other);
}
