/** Creates a style from a template, and assigns it to a layer if it is for one. */
import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button/button.tsx';
import { reportChange } from '../../parts/changes/report-change.ts';
import { Dialog } from '../../parts/dialog/dialog.tsx';
import { Field } from '../../parts/field/field.tsx';
import { ProblemNotice } from '../../parts/notice/notice.tsx';
import { dropAnswers, writeRest } from '../../rest/cache.ts';
import { rest } from '../../rest/client.ts';
import { navigate } from '../../shell/router.ts';
import { styleLanguages } from '../../style-text/languages.ts';
import { createTemplate, type TemplateKind, templateKinds } from '../../style-text/templates.ts';
import { t } from '../../words/words.ts';
import { createStyle, getCollectionPath, getPagePath } from './style-documents.ts';
import { WorkspaceChoice } from './workspace-choice.tsx';

interface NewStyleDialogProps {
  readonly workspace: string | undefined;
  /** The layer that it is for. */
  readonly layer?: { readonly workspace: string; readonly name: string; readonly kind: TemplateKind };
  readonly onClose: () => void;
}

const offered = styleLanguages.filter((language) => language !== 'ysld');

export function NewStyleDialog({ workspace, layer, onClose }: NewStyleDialogProps) {
  const { styles: words } = t();
  const failure = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const read = (name: string) => String(data.get(name) ?? '').trim();
    const place = { name: read('name'), workspace: read('workspace') || undefined };
    const language = offered.find((each) => each === read('language')) ?? 'css';
    const kind = templateKinds.find((each) => each === read('kind')) ?? 'polygon';
    isBusy.value = true;
    try {
      const reply = await createStyle(place, { language, version: '1.0.0' }, createTemplate(language, kind));
      await dropAnswers(getCollectionPath(place.workspace));
      reportChange(words.created(place.name), reply);
      if (layer !== undefined && data.get('assign') !== null) {
        const defaultStyle = {
          name: place.name,
          ...(place.workspace === undefined ? {} : { workspace: { name: place.workspace } }),
        };
        const target = rest`/workspaces/${layer.workspace}/layers/${layer.name}`;
        reportChange(
          words.tab.saved(layer.name),
          await writeRest(target, { method: 'PUT', body: { layer: { defaultStyle } } }),
        );
      }
      const query = layer === undefined ? '' : `?${new URLSearchParams({ layer: `${layer.workspace}:${layer.name}` })}`;
      navigate(`${getPagePath(place)}${query}`);
    } catch (error) {
      failure.value = error;
      isBusy.value = false;
    }
  };
  return (
    <Dialog title={layer === undefined ? words.createTitle : words.createFor(layer.name)} onClose={onClose}>
      <form
        class="style-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
        <Field label={words.fields.name} name="name" defaultValue={layer?.name} autocomplete="off" required />
        <WorkspaceChoice selected={workspace} />
        <Radios
          legend={words.fields.language}
          name="language"
          options={offered.map((each) => [each, words.languages[each]])}
          selected="css"
        />
        <Radios
          legend={words.fields.kind}
          name="kind"
          options={templateKinds.map((each) => [each, words.kinds[each]])}
          selected={layer?.kind ?? 'polygon'}
        />
        {layer === undefined ? null : (
          <label class="style-check">
            <input type="checkbox" name="assign" defaultChecked />
            {words.assign}
          </label>
        )}
        <footer class="style-dialog-actions">
          <Button onClick={onClose}>{t().app.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy.value} disabled={isBusy.value}>
            {words.createAndEdit}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface RadiosProps {
  readonly legend: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly selected: string;
}

function Radios({ legend, name, options, selected }: RadiosProps) {
  return (
    <fieldset class="style-radios">
      <legend>{legend}</legend>
      {options.map(([value, label]) => (
        <label key={value} class="style-radio">
          <input type="radio" name={name} value={value} defaultChecked={value === selected} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
