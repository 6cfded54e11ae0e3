/** A provider: created, or changed in the fields that the user has touched. It can be tested before it is stored. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { SelectField } from '../../../parts/controls/controls.tsx';
import { FormDialog } from '../../../parts/controls/form-dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { rest } from '../../../rest/client.ts';
import { t } from '../../../words/words.ts';
import { ProviderField } from './provider-field.tsx';
import {
  findKind,
  kindNames,
  type ProviderDocument,
  type ProviderKind,
  providerKinds,
  useProviderSchema,
} from './provider-kinds.ts';
import { Steps } from './steps.tsx';
import { type ProviderTest, testProvider } from './test-provider.ts';

interface ProviderDialogProps {
  readonly provider: ProviderDocument | undefined;
  readonly onClose: () => void;
}

type Outcome = { readonly test: ProviderTest } | { readonly error: unknown };

export function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const { security: words } = t();
  const { fields: schema, error: schemaError } = useProviderSchema();
  const kind = useSignal<ProviderKind>(provider === undefined ? 'ldap' : findKind(provider.className));
  const name = useSignal(provider?.name ?? '');
  const changes = useSignal<Readonly<Record<string, unknown>>>({});
  const outcome = useSignal<Outcome | undefined>(undefined);
  const fields = providerKinds[kind.value];
  const createDocument = () => {
    const className = provider?.className ?? fields.className;
    const known = [...fields.first, ...fields.others];
    const sent = Object.entries(changes.peek()).filter(
      ([field, value]) => known.includes(field) && value !== undefined,
    );
    return { name: name.peek().trim(), className, ...Object.fromEntries(sent) };
  };
  const save = async () => {
    const body = { authprovider: createDocument() };
    const reply =
      provider === undefined
        ? await writeRest('/security/authproviders', { method: 'POST', body })
        : await writeRest(rest`/security/authproviders/${provider.name}`, { method: 'PUT', body });
    reportChange(words.saved(body.authprovider.name), reply);
  };
  const test = async () => {
    // A changed provider is tested with its other settings.
    const draft: Readonly<Record<string, unknown>> = { ...provider, ...createDocument() };
    const sent = Object.fromEntries(Object.entries(draft).filter(([field, value]) => field !== 'id' && value !== null));
    outcome.value = await testProvider(sent, undefined).then(
      (result) => ({ test: result }),
      (error: unknown) => ({ error }),
    );
  };
  return (
    <FormDialog
      title={provider === undefined ? words.newProvider : words.changeNamed(provider.name)}
      submit={words.save}
      isUnavailable={schema === undefined}
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {provider === undefined ? (
            <>
              <SelectField
                label={words.kind}
                name="kind"
                value={kind.value}
                options={kindNames.map((value) => ({ value, label: words.providerKinds[value] }))}
                onChange={(next) => {
                  kind.value = kindNames.find((each) => each === next) ?? 'ldap';
                }}
              />
              <Field
                label={words.name}
                name="provider-name"
                autocomplete="off"
                error={errorOf('name')}
                onInput={(text) => {
                  name.value = text;
                }}
              />
            </>
          ) : null}
          {schemaError === null ? null : <ProblemNotice error={schemaError} />}
          {schema === undefined && schemaError === null ? <p class="muted">{t().app.loading}</p> : null}
          {[fields.first, fields.others].map((list, index) => {
            const inputs = list.flatMap((field) => {
              const described = schema?.[field];
              return described === undefined
                ? []
                : [
                    <ProviderField
                      key={`${kind.value} ${field}`}
                      name={field}
                      schema={described}
                      value={field in changes.value ? changes.value[field] : provider?.[field]}
                      error={errorOf(field)}
                      onChange={(value) => {
                        changes.value = { ...changes.peek(), [field]: value };
                      }}
                    />,
                  ];
            });
            if (index === 0 || inputs.length === 0) return inputs;
            const hasError = list.some((field) => errorOf(field) !== undefined);
            return (
              <details key="others" class="provider-more" open={hasError}>
                <summary>{words.moreSettings}</summary>
                <div class="control-form">{inputs}</div>
              </details>
            );
          })}
          <div class="security-line">
            <Button icon="check" onClick={() => void test()}>
              {words.testSettings}
            </Button>
          </div>
          {outcome.value === undefined ? null : 'test' in outcome.value ? (
            <Steps test={outcome.value.test} />
          ) : (
            <ProblemNotice error={outcome.value.error} />
          )}
        </>
      )}
    </FormDialog>
  );
}
