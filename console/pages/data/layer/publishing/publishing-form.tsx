/** The sections of the publishing form. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../../parts/button/button.tsx';
import { useRest } from '../../../../rest/cache.ts';
import { withQuery } from '../../../../rest/client.ts';
import { t } from '../../../../words/words.ts';
import {
  boxSides,
  type DimensionName,
  dimensionNames,
  listAttributes,
  type PublishDocument,
  type PublishedAttribute,
} from './publishing-draft.ts';
import { FormChoices, FormFlag, FormInput, FormSelect, type FormState } from './publishing-fields.tsx';

interface PublishFormProps {
  readonly form: FormState;
  readonly document: PublishDocument;
  /** VECTOR, RASTER, WMS or WMTS. */
  readonly type: string;
  /** Absent if boxes cannot be computed. */
  readonly onRecalculate?: () => void;
  readonly isBusy: boolean;
}

const services: Readonly<Record<string, readonly string[]>> = {
  VECTOR: ['WMS', 'WFS', 'WMTS'],
  RASTER: ['WMS', 'WCS', 'WMTS'],
  WMS: ['WMS', 'WMTS'],
  WMTS: ['WMS', 'WMTS'],
};

export function PublishForm({ form, document, type, onRecalculate, isBusy }: PublishFormProps) {
  const { publishing: words } = t();
  const { fields } = words;
  const attributes = listAttributes(document);
  const label = (name: string) => fields[name] ?? name;
  return (
    <div class="publishing-sections">
      <section>
        <h2>{words.description}</h2>
        <FormInput form={form} name="title" label={label('title')} />
        <FormInput form={form} name="abstract" label={label('abstract')} rows={4} />
        <FormInput form={form} name="keywords" label={label('keywords')} rows={3} />
        <FormFlag form={form} name="enabled" label={label('enabled')} />
        <FormFlag form={form} name="advertised" label={label('advertised')} />
      </section>
      <section>
        <h2>{words.system}</h2>
        <CrsInput form={form} label={label('srs')} />
        <FormSelect
          form={form}
          name="projectionPolicy"
          label={label('projectionPolicy')}
          options={(['FORCE_DECLARED', 'REPROJECT_TO_DECLARED', 'NONE'] as const).map((each) => [
            each,
            words.policies[each],
          ])}
        />
        <Box form={form} name="nativeBoundingBox" />
        <Box form={form} name="latLonBoundingBox" />
        {onRecalculate === undefined ? null : (
          <p>
            <Button icon="fit" disabled={isBusy} onClick={onRecalculate}>
              {words.recalculate}
            </Button>
          </p>
        )}
      </section>
      {type === 'WMS' || type === 'WMTS' ? null : (
        <section>
          <h2>{words.dimensions}</h2>
          {dimensionNames.map((name) => (
            <Dimension key={name} form={form} name={name} attributes={type === 'VECTOR' ? attributes : undefined} />
          ))}
        </section>
      )}
      <section>
        <h2>{words.services}</h2>
        <FormChoices
          form={form}
          name="disabledServices"
          label={words.servicesHint}
          options={services[type] ?? []}
          isInverted
        />
        {type !== 'VECTOR' ? null : (
          <>
            <FormInput form={form} name="cqlFilter" label={label('cqlFilter')} placeholder="status = 'public'" />
            <FormInput form={form} name="maxFeatures" label={label('maxFeatures')} type="number" />
          </>
        )}
      </section>
      {attributes.length === 0 ? null : (
        <section>
          <h2>{words.attributes}</h2>
          <FormChoices
            form={form}
            name="attributes"
            label={words.attributesHint}
            options={attributes.map(({ name }) => name)}
          />
        </section>
      )}
    </div>
  );
}

interface CrsList {
  readonly crs: readonly { readonly id: string }[];
}

/** Codes are found by a part of the code or name. */
function CrsInput({ form, label }: { readonly form: FormState; readonly label: string }) {
  const value = form.values['srs'] ?? '';
  const isChosen = useSignal(true);
  const found = useRest<CrsList>({
    path: value.length < 2 ? undefined : withQuery('/crs', { search: value, limit: 12 }),
    keepsLast: true,
  });
  return (
    <>
      <FormInput
        form={{
          ...form,
          onChange: (name, text) => {
            isChosen.value = false;
            form.onChange(name, text);
          },
        }}
        name="srs"
        label={label}
        list="publishing-crs"
      />
      <datalist id="publishing-crs">
        {isChosen.value ? null : found.data?.body.crs.map(({ id }) => <option key={id} value={id} />)}
      </datalist>
    </>
  );
}

function Box({ form, name }: { readonly form: FormState; readonly name: string }) {
  const { publishing: words } = t();
  return (
    <fieldset class="box-field">
      <legend>{words.fields[name] ?? name}</legend>
      {boxSides.map((side) => (
        <FormInput key={side} form={form} name={`${name}.${side}`} label={words.sides[side]} type="number" />
      ))}
      {form.errors.has(name) ? <p class="field-error">{form.errors.get(name)}</p> : null}
    </fieldset>
  );
}

interface DimensionProps {
  readonly form: FormState;
  readonly name: DimensionName;
  /** Undefined for rasters, whose dimensions are those of the data. */
  readonly attributes: readonly PublishedAttribute[] | undefined;
}

function Dimension({ form, name, attributes }: DimensionProps) {
  const { publishing: words } = t();
  const isEnabled = form.values[`${name}.enabled`] === 'true';
  const isTime = name === 'time';
  const pattern = isTime ? /Date|Time/ : /Integer|Long|Short|Double|Float|BigDecimal/;
  const suitable = (attributes ?? []).filter(({ binding = '' }) => pattern.test(binding));
  const choices = (none: string) => [
    ['', none] as const,
    ...suitable.map((attribute) => [attribute.name, attribute.name] as const),
  ];
  const strategy = form.values[`${name}.strategy`];
  return (
    <fieldset class="dimension">
      <legend class="unseen">{words.fields[`${name}.enabled`]}</legend>
      <FormFlag form={form} name={`${name}.enabled`} label={words.fields[`${name}.enabled`] ?? name} />
      {isEnabled ? (
        <div class="dimension-fields">
          {attributes === undefined ? null : (
            <>
              <FormSelect
                form={form}
                name={`${name}.attribute`}
                label={words.dimension.attribute}
                options={choices(words.dimension.choose)}
              />
              <FormSelect
                form={form}
                name={`${name}.endAttribute`}
                label={words.dimension.endAttribute}
                options={choices(t().app.none)}
              />
            </>
          )}
          <FormSelect
            form={form}
            name={`${name}.presentation`}
            label={words.dimension.presentation}
            options={(['LIST', 'DISCRETE_INTERVAL', 'CONTINUOUS_INTERVAL'] as const).map((each) => [
              each,
              words.presentations[each],
            ])}
          />
          {form.values[`${name}.presentation`] === 'DISCRETE_INTERVAL' ? (
            <FormInput
              form={form}
              name={`${name}.resolution`}
              label={isTime ? words.dimension.resolutionMs : words.dimension.resolution}
              type="number"
            />
          ) : null}
          <FormSelect
            form={form}
            name={`${name}.strategy`}
            label={words.dimension.strategy}
            options={(['BUILTIN', 'MINIMUM', 'MAXIMUM', 'NEAREST', 'FIXED'] as const).map((each) => [
              each,
              words.strategies[each],
            ])}
          />
          {strategy === 'NEAREST' || strategy === 'FIXED' ? (
            <FormInput form={form} name={`${name}.reference`} label={words.dimension.reference} />
          ) : null}
          <FormFlag form={form} name={`${name}.nearest`} label={words.dimension.nearest} />
        </div>
      ) : null}
    </fieldset>
  );
}
