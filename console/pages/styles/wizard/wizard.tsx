/** Classifies the values of a layer and writes a style with a colour for each class. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { useRest } from '../../../rest/cache.ts';
import { rest, withQuery } from '../../../rest/client.ts';
import { RestProblem } from '../../../rest/problems.ts';
import {
  type ClassStyle,
  type ColorEntry,
  type RulesDocument,
  readClasses,
  readColorMap,
  type Shape,
  type ValueClass,
  writeClasses,
  writeColorMap,
} from '../../../style-text/classes.ts';
import type { VisualLanguage } from '../../../style-text/edit-style.ts';
import { createColors, ramps } from '../../../style-text/ramps.ts';
import { t } from '../../../words/words.ts';
import { type LayerAttribute, useLayerAttributes } from '../layer-attributes.ts';
import { RampChoice } from './ramp-choice.tsx';

interface WizardProps {
  /** With its workspace. */
  readonly layer: string;
  readonly language: VisualLanguage;
  readonly onClose: () => void;
  readonly onWrite: (text: string) => void;
}

const methods = ['quantile', 'equalInterval', 'jenks', 'uniqueInterval'] as const;
type Method = (typeof methods)[number];

const numberTypes = /^(?:Short|Integer|Long|Float|Double|BigDecimal)$/;
const geometryTypes =
  /^(?:Geometry|GeometryCollection|(?:Multi)?(?:Point|LineString|Polygon|Curve|Surface)|LinearRing)$/;

/** More colours are not distinguishable. */
const MAX_CLASSES = 12;
const MAX_UNIQUE = 50;
const TOO_MANY_VALUES = 'classification-too-many-values';

export function Wizard({ layer, language, onClose, onWrite }: WizardProps) {
  const { wizard: words } = t().styles;
  const { read, attributes } = useLayerAttributes(layer);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div class="wizard">
        {read.error === null ? null : <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />}
        {attributes === undefined ? null : <Form {...{ layer, language, onClose, onWrite, attributes }} />}
      </div>
    </Dialog>
  );
}

function Form({
  layer,
  language,
  attributes,
  onClose,
  onWrite,
}: WizardProps & { readonly attributes: readonly LayerAttribute[] }) {
  const { wizard: words } = t().styles;
  const shape = findShape(attributes);
  const usable = attributes.filter(({ type }) => !geometryTypes.test(type));
  const firstNumber = usable.find(({ type }) => numberTypes.test(type)) ?? usable[0];
  const attribute = useSignal(firstNumber?.name ?? '');
  const isNumber = numberTypes.test(usable.find(({ name }) => name === attribute.value)?.type ?? '');
  const method = useSignal<Method>(isNumber ? 'quantile' : 'uniqueInterval');
  const used = isNumber ? method.value : 'uniqueInterval';
  const count = useSignal(5);
  const ramp = useSignal<string>(used === 'uniqueInterval' ? 'mosaic' : 'lagoon');
  const isReversed = useSignal(false);
  const result = useRest<RulesDocument>({
    path:
      attribute.value === ''
        ? undefined
        : withQuery(rest`/sldservice/${layer}/classify.json`, {
            attribute: attribute.value,
            method: used,
            intervals: count.value,
            ...(used === 'uniqueInterval' ? { intervalsForUnique: MAX_UNIQUE } : {}),
          }),
    keepsLast: true,
  });
  if (usable.length === 0) return <p class="muted">{words.noAttributes}</p>;
  const chosen = ramps.find(({ id }) => id === ramp.value) ?? ramps[0];
  const paint = (n: number) => (chosen === undefined ? [] : createColors(chosen, n, isReversed.value));
  const hasTooManyValues = result.error instanceof RestProblem && result.error.code === TOO_MANY_VALUES;
  const document = result.error === null ? result.data?.body : undefined;
  const text = document && write(document, { attribute: attribute.value, shape, used, language, paint });
  return (
    <form
      class="style-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== undefined) onWrite(text);
      }}
    >
      <div class="wizard-fields">
        <Select
          label={words.attribute}
          value={attribute.value}
          options={usable.map(({ name }) => [name, name])}
          onChange={(value) => (attribute.value = value)}
        />
        <Select
          label={words.method}
          value={used}
          options={methods
            .filter((each) => isNumber || each === 'uniqueInterval')
            .map((each) => [each, words.methods[each]])}
          onChange={(value) => {
            const next = methods.find((each) => each === value) ?? 'quantile';
            method.value = next;
            ramp.value = next === 'uniqueInterval' ? 'mosaic' : 'lagoon';
          }}
        />
        {used === 'uniqueInterval' ? null : (
          <label class="wizard-field">
            <span>{words.count(count.value)}</span>
            <input
              type="range"
              min={2}
              max={MAX_CLASSES}
              value={count.value}
              onInput={(event) => (count.value = Number(event.currentTarget.value))}
            />
          </label>
        )}
      </div>
      <RampChoice
        selected={ramp.value}
        isReversed={isReversed.value}
        onChoose={(id) => (ramp.value = id)}
        onReverse={(next) => (isReversed.value = next)}
      />
      {hasTooManyValues ? <Remark kind="info">{words.tooManyValues(attribute.value, MAX_UNIQUE)}</Remark> : null}
      {result.error === null || hasTooManyValues ? null : <ProblemNotice error={result.error} />}
      {document === undefined ? null : <Classes document={document} isRaster={shape === 'raster'} paint={paint} />}
      <p class="muted">{words.replaces}</p>
      <footer class="style-dialog-actions">
        <Button onClick={onClose}>{t().app.cancel}</Button>
        <Button kind="primary" type="submit" disabled={text === undefined}>
          {words.write}
        </Button>
      </footer>
    </form>
  );
}

type Paint = (count: number) => readonly string[];

interface Writing {
  readonly attribute: string;
  readonly shape: Shape;
  readonly used: Method;
  readonly language: VisualLanguage;
  readonly paint: Paint;
}

const OUTLINE = '#4a5560';

function write(document: RulesDocument, { attribute, shape, used, language, paint }: Writing): string {
  if (shape === 'raster') {
    return writeColorMap(readColorMap(document, paint), used === 'uniqueInterval' ? 'values' : 'intervals', language);
  }
  const style: ClassStyle = { attribute, shape, classes: readClasses(document, paint), outline: OUTLINE };
  return writeClasses(style, language);
}

function findShape(attributes: readonly LayerAttribute[]): Shape {
  const type = attributes.find((each) => geometryTypes.test(each.type))?.type;
  if (type === undefined) return 'raster';
  if (type.endsWith('Point')) return 'point';
  return /LineString|Curve/.test(type) ? 'line' : 'polygon';
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <label class="wizard-field">
      <span>{label}</span>
      <select class="input" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Classes({
  document,
  isRaster,
  paint,
}: {
  readonly document: RulesDocument;
  readonly isRaster: boolean;
  readonly paint: Paint;
}) {
  const { wizard: words } = t().styles;
  const classes: readonly Pick<ValueClass, 'color' | 'title'>[] = isRaster
    ? readColorMap(document, paint)
        .filter(({ opacity }: ColorEntry) => opacity > 0)
        .map(({ color, label, quantity }) => ({ color, title: label === '' ? quantity : label }))
    : readClasses(document, paint);
  return (
    <section class="wizard-classes" aria-label={words.preview}>
      <h3>{words.found(classes.length)}</h3>
      <ul tabIndex={0} aria-label={words.preview}>
        {classes.map(({ color, title }) => (
          <li key={title}>
            <ColorSquare color={color} />
            <span>{title}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ColorSquare({ color }: { readonly color: string }) {
  return (
    <svg class="wizard-color" width="28" height="18" aria-hidden="true">
      <rect width="28" height="18" rx="3" fill={color} />
    </svg>
  );
}
