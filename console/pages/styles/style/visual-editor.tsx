/** Forms for the rules of a style. Each input changes one range of the text; all other parts stay as they are. */
import { Button } from '../../../parts/button/button.tsx';
import { Empty } from '../../../parts/notice/notice.tsx';
import type { TextRange } from '../../../style-text/css-tree.ts';
import {
  appendRule,
  editCondition,
  editField,
  editFilter,
  editTitle,
  moveRuleDown,
  readVisualStyle,
  removeRule,
  type VisualLanguage,
} from '../../../style-text/edit-style.ts';
import type { TextEdit } from '../../../style-text/text-edit.ts';
import { type FieldName, fields, type PartName, partNames, type VisualRule } from '../../../style-text/visual-style.ts';
import { t } from '../../../words/words.ts';
import { FilterForm } from './filter-form.tsx';
import type { StyleSession } from './style-session.ts';
import { VisualField } from './visual-field.tsx';

interface VisualEditorProps {
  readonly session: StyleSession;
  readonly language: VisualLanguage;
  readonly isReadOnly: boolean;
  readonly attributes: readonly string[];
  readonly onEdit: (edit: TextEdit) => void;
  /** Shows a position of the text. */
  readonly onShow: (position: number) => void;
}

/** Larger styles are edited as text. */
const MAX_RULES = 200;

/** What a part begins with. */
function listDefaults(part: PartName, attributes: readonly string[]): readonly (readonly [FieldName, string])[] {
  switch (part) {
    case 'fill':
      return [['fill', '#9ecae1']];
    case 'stroke':
      return [
        ['stroke', '#31607f'],
        ['stroke-width', '1'],
      ];
    case 'mark':
      return [
        ['mark', 'circle'],
        ['mark-size', '8'],
        ['mark-fill', '#d9603b'],
      ];
    case 'label':
      return [
        ['label', attributes.find((name) => /^[A-Za-z_]\w*$/.test(name) && /name|title/i.test(name)) ?? 'name'],
        ['font-size', '12'],
      ];
  }
}

export function VisualEditor(props: VisualEditorProps) {
  const { session, language, isReadOnly, onEdit, onShow } = props;
  const { visual: words } = t().styles;
  const text = session.text.value;
  const style = readVisualStyle(text, language);
  if (style === undefined) return <Empty icon="warning" title={words.unreadable} />;
  const apply = (edit: TextEdit | undefined) => {
    if (edit !== undefined) onEdit(edit);
  };
  return (
    <div class="visual">
      {style.byHand.map((range) => (
        <ByHand key={range.from} text={text} range={range} onShow={onShow} />
      ))}
      {style.rules.slice(0, MAX_RULES).map((rule, index) => (
        <Rule key={index} {...props} rule={rule} index={index} isLast={index === style.rules.length - 1} text={text} />
      ))}
      {style.rules.length > MAX_RULES ? <p class="muted">{words.more(style.rules.length - MAX_RULES)}</p> : null}
      {isReadOnly ? null : (
        <p>
          <Button icon="plus" onClick={() => apply(appendRule(text, language, { fill: '#9ecae1', stroke: '#31607f' }))}>
            {words.addRule}
          </Button>
        </p>
      )}
    </div>
  );
}

interface RuleProps extends VisualEditorProps {
  readonly rule: VisualRule;
  readonly index: number;
  readonly isLast: boolean;
  readonly text: string;
}

function Rule(props: RuleProps) {
  const { rule, index, isLast, text, language, isReadOnly, attributes, onEdit, onShow, session } = props;
  const { visual: words } = t().styles;
  const name = rule.title === '' ? words.rule(index + 1) : rule.title;
  const moveDown = (moved: number) => {
    const edit = moveRuleDown(text, language, moved);
    if (edit !== undefined) onEdit(edit);
  };
  const set = (changes: readonly (readonly [FieldName, string | undefined])[]) => {
    for (const [field, value] of changes) {
      // Each edit changes the text, so that positions are read again.
      const edit = editField({ text: session.text.peek(), language }, index, field, value);
      if (edit !== undefined) onEdit(edit);
    }
  };
  return (
    <section class="visual-rule" aria-label={name}>
      <header class="visual-rule-head">
        <h2>{name}</h2>
        <Button kind="quiet" icon="code" label={words.showRule(name)} onClick={() => onShow(rule.from)} />
        {isReadOnly ? null : (
          <>
            {index === 0 ? null : (
              <Button kind="quiet" icon="up" label={words.moveUp(name)} onClick={() => moveDown(index - 1)} />
            )}
            {isLast ? null : (
              <Button kind="quiet" icon="down" label={words.moveDown(name)} onClick={() => moveDown(index)} />
            )}
            <Button
              kind="quiet"
              icon="trash"
              label={words.removeRule(name)}
              onClick={() => {
                const edit = removeRule(text, language, index);
                if (edit !== undefined) onEdit(edit);
              }}
            />
          </>
        )}
      </header>
      <label class="visual-condition">
        <span>{words.title}</span>
        <input
          class="input"
          value={rule.title}
          readOnly={isReadOnly}
          onChange={(event) => {
            const edit = editTitle(text, language, index, event.currentTarget.value.trim());
            if (edit !== undefined) onEdit(edit);
          }}
        />
      </label>
      <Condition {...props} />
      <div class="visual-parts">
        {partNames.map((part) => (
          <Part key={part} {...{ part, rule, isReadOnly, attributes, set, onShow }} />
        ))}
      </div>
      {rule.byHand.map((range) => (
        <ByHand key={range.from} text={text} range={range} onShow={onShow} />
      ))}
    </section>
  );
}

function Condition({ rule, index, text, language, isReadOnly, attributes, onEdit }: RuleProps) {
  const { visual: words } = t().styles;
  const apply = (edit: TextEdit | undefined) => {
    if (edit !== undefined) onEdit(edit);
  };
  const form =
    rule.filter === undefined || isReadOnly ? null : (
      <FilterForm
        filter={rule.filter}
        attributes={attributes}
        onChange={(rows) => apply(editFilter(text, language, index, rows))}
      />
    );
  if (language !== 'css') {
    return (
      <>
        <p class="visual-condition muted">{rule.condition === '' ? words.always : <code>{rule.condition}</code>}</p>
        {form}
      </>
    );
  }
  return (
    <>
      <label class="visual-condition">
        <span>{words.condition}</span>
        <input
          class="input"
          value={rule.condition}
          placeholder={words.always}
          readOnly={isReadOnly}
          spellcheck={false}
          onChange={(event) => apply(editCondition(text, language, index, event.currentTarget.value))}
        />
      </label>
      {form}
    </>
  );
}

interface PartProps {
  readonly part: PartName;
  readonly rule: VisualRule;
  readonly isReadOnly: boolean;
  readonly attributes: readonly string[];
  readonly set: (changes: readonly (readonly [FieldName, string | undefined])[]) => void;
  readonly onShow: (position: number) => void;
}

function Part({ part, rule, isReadOnly, attributes, set, onShow }: PartProps) {
  const { visual: words } = t().styles;
  const names: readonly FieldName[] = fields[part];
  const isOn = names.some((name) => rule.fields.has(name));
  const hasByHand = names.some((name) => rule.fields.get(name)?.kind === 'by hand');
  return (
    <fieldset class="visual-part" data-part={part} disabled={isReadOnly}>
      <legend>
        <label class="visual-switch">
          <input
            type="checkbox"
            checked={isOn}
            // Parts with expressions are removed in the text.
            disabled={isReadOnly || hasByHand}
            onChange={() =>
              set(
                isOn
                  ? names
                      .filter((name) => rule.fields.has(name))
                      .map((name) => [name, undefined] as const)
                      .toReversed()
                  : listDefaults(part, attributes),
              )
            }
          />
          {words.parts[part]}
        </label>
      </legend>
      {isOn ? (
        <div class="visual-fields">
          {names.map((name) => (
            <VisualField
              key={name}
              name={name}
              state={rule.fields.get(name)}
              attributes={attributes}
              onChange={(value) => set([[name, value]])}
              onShow={onShow}
            />
          ))}
        </div>
      ) : null}
    </fieldset>
  );
}

interface ByHandProps {
  readonly text: string;
  readonly range: TextRange;
  readonly onShow: (position: number) => void;
}

const SHOWN_LINES = 4;

function ByHand({ text, range, onShow }: ByHandProps) {
  const { visual: words } = t().styles;
  const lines = text.slice(range.from, range.to).split('\n');
  const shown = lines.slice(0, SHOWN_LINES).join('\n');
  return (
    <div class="visual-by-hand">
      <p>
        <span class="badge badge-off">{words.byHand}</span>
        <Button kind="quiet" icon="code" label={words.showText} onClick={() => onShow(range.from)} />
      </p>
      <pre tabIndex={0}>
        <code>{lines.length > SHOWN_LINES ? `${shown}\n…` : shown}</code>
      </pre>
    </div>
  );
}
