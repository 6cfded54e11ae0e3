/** Edits features of the layer: geometry on the map, attributes in a form, all changes in one transaction. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Button } from '../../../../parts/button/button.tsx';
import { ProblemNotice } from '../../../../parts/notice/notice.tsx';
import { listFieldProblems, toProblem } from '../../../../rest/problems.ts';
import { setQuery } from '../../../../shell/router.ts';
import { t } from '../../../../words/words.ts';
import type { MapModel } from '../../map/map-model.ts';
import type { LayerView } from '../page.tsx';
import { AttributeField } from './attribute-field.tsx';
import { type Draft, EditSession } from './edit-session.ts';
import { GeometryField } from './geometry-field.tsx';

interface EditPanelProps {
  readonly view: LayerView;
  readonly model: MapModel;
  readonly filter: string;
  /** The row that is marked in the table. */
  readonly chosen: string | undefined;
}

export function EditPanel({ view, model, filter, chosen }: EditPanelProps) {
  const edits = useMemo(() => new EditSession(view, model), [view.qualifiedName]);
  const { featureEdit: words, app } = t();
  const map = model.map.value;
  edits.filter = filter;
  useEffect(() => (map === undefined ? undefined : edits.start(map)), [map, edits]);
  const { current, schema, drafts, error, isBusy } = edits;
  const draft = drafts.value.get(current.value ?? '');
  const changes = edits.listEdits().length;
  const problem = error.value === undefined ? undefined : toProblem(error.value);
  const fields = new Map(
    (problem === undefined ? [] : listFieldProblems(problem)).map(({ field, message }) => [field, message]),
  );
  return (
    <div class="edit-panel">
      <header class="edit-head">
        <h2>{words.title}</h2>
        <Button kind="quiet" icon="close" label={words.stop} onClick={() => setQuery({ panel: undefined })} />
      </header>
      <p class="muted">{words.hint}</p>
      <NewFeature edits={edits} />
      {chosen === undefined || drafts.value.has(chosen) ? null : (
        <Button icon="pencil" onClick={() => void edits.chooseById(chosen)}>
          {words.editRow(chosen)}
        </Button>
      )}
      {problem === undefined ? null : <ProblemNotice error={problem} />}
      <DraftList edits={edits} />
      {draft === undefined || schema.value === undefined || draft.isDeleted ? null : (
        <section class="edit-form" aria-label={words.attributes}>
          {schema.value.attributes.map((attribute) => (
            <AttributeField
              key={`${draft.key} ${attribute.name}`}
              attribute={attribute}
              value={draft.values[attribute.name] ?? null}
              error={fields.get(attribute.name)}
              onChange={(value) => edits.setValue(attribute.name, value)}
            />
          ))}
          {schema.value.geometry === undefined ? null : (
            <GeometryField key={draft.key} draft={draft} crs={edits.crs} editor={edits.editor.value} edits={edits} />
          )}
          <Button icon="trash" onClick={() => edits.remove()}>
            {words.remove}
          </Button>
        </section>
      )}
      <footer class="edit-foot">
        <span class="muted" role="status">
          {words.pending(changes)}
        </span>
        <Button disabled={changes === 0 || isBusy.value} onClick={() => edits.discard()}>
          {words.discard}
        </Button>
        <Button
          kind="primary"
          shortcut="Control+S"
          disabled={changes === 0 || isBusy.value}
          isBusy={isBusy.value}
          onClick={() => void edits.save()}
        >
          {words.save}
        </Button>
      </footer>
      <span class="unseen" role="status">
        {isBusy.value ? app.loading : ''}
      </span>
    </div>
  );
}

function NewFeature({ edits }: { readonly edits: EditSession }) {
  const { featureEdit: words } = t();
  const types = edits.listTypes();
  const chosen = useSignal<string | undefined>(undefined);
  const type = types.find((each) => each === chosen.value) ?? types[0];
  // Drawing needs the editor of the map, which is loaded on demand.
  if (type === undefined || edits.editor.value === undefined) return null;
  return (
    <div class="edit-new">
      {types.length === 1 ? null : (
        <select
          class="input"
          aria-label={words.geometryType}
          value={type}
          onChange={(event) => {
            chosen.value = event.currentTarget.value;
          }}
        >
          {types.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
      <Button icon="plus" onClick={() => edits.draw(type)}>
        {words.draw(words.types[type] ?? type)}
      </Button>
      {type === 'Point' || type === 'MultiPoint' ? (
        <Button icon="target" onClick={() => edits.addAtCenter(type)}>
          {words.addAtCenter}
        </Button>
      ) : (
        <Button icon="pencil" onClick={() => edits.addEmpty()}>
          {words.addByText}
        </Button>
      )}
    </div>
  );
}

/** All features with changes; a click continues with one. */
function DraftList({ edits }: { readonly edits: EditSession }) {
  const { featureEdit: words } = t();
  const drafts = [...edits.drafts.value.values()];
  if (drafts.length === 0) return null;
  return (
    <ul class="edit-drafts" aria-label={words.drafts}>
      {drafts.map((draft) => (
        <li key={draft.key}>
          <button
            type="button"
            class="menu-item"
            aria-current={draft.key === edits.current.value ? 'true' : undefined}
            onClick={() => edits.show(draft.key)}
          >
            <span>{draft.stored?.id ?? words.newFeature}</span>
            <span class="muted">{describeState(draft, edits.isChanged(draft))}</span>
          </button>
          {draft.isDeleted ? (
            <Button kind="quiet" onClick={() => edits.restore(draft.key)}>
              {words.restore}
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function describeState(draft: Draft, isChanged: boolean): string {
  const { states } = t().featureEdit;
  if (draft.isDeleted) return states.deleted;
  if (draft.stored === undefined) return states.added;
  return isChanged ? states.changed : states.unchanged;
}
