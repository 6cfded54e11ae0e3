/** One layer group: its members in order with their styles, a preview of what is not saved yet, and its deletion. */

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { PageTools } from '../../../parts/page-tools/page-tools.tsx';
import { useRest, writeRest } from '../../../rest/cache.ts';
import { callRest, rest, withQuery } from '../../../rest/client.ts';
import { listFieldProblems, toProblem } from '../../../rest/problems.ts';
import type { BoundingBox } from '../../../rest/types.ts';
import type { PageProps } from '../../../routes.ts';
import { navigate, path, toUrl } from '../../../shell/router.ts';
import { t } from '../../../words/words.ts';
import { getGroupPath } from '../groups/page.tsx';
import { MapCanvas } from '../map/map-canvas.tsx';
import { joinDraws, useMapModel } from '../map/map-model.ts';
import { RequestState } from '../map/request-state.tsx';
import { DeleteGroup } from './delete-group.tsx';
import { createGroupChanges, type GroupDocument, type GroupDraft, newGroup, readGroup } from './group-draft.ts';
import { GroupForm } from './group-form.tsx';

/** Without a name, the page creates a group. */
export function Page({ params: { workspace, group } }: PageProps) {
  const target = group === undefined ? undefined : getRestPath(workspace, group);
  const read = useRest<{ readonly layerGroup: GroupDocument }>(target);
  if (group === undefined) return <Editor workspace={workspace} document={undefined} etag={null} />;
  if (read.error !== null) {
    return (
      <div class="layer-problem">
        <h1>{group}</h1>
        <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />
      </div>
    );
  }
  if (read.data === undefined) return null;
  return <Editor workspace={workspace} document={read.data.body.layerGroup} etag={read.data.etag} />;
}

function getRestPath(workspace: string | undefined, group: string): string {
  return workspace === undefined ? rest`/layergroups/${group}` : rest`/workspaces/${workspace}/layergroups/${group}`;
}

interface EditorProps {
  readonly workspace: string | undefined;
  readonly document: GroupDocument | undefined;
  readonly etag: string | null;
}

function Editor({ workspace, document, etag }: EditorProps) {
  const typed = useSignal<Partial<GroupDraft>>({});
  // Until a draft is saved or discarded, the page does not follow changes of other users: Save would replace them.
  const opened = useRef({ document, etag });
  if (Object.keys(typed.value).length === 0) opened.current = { document, etag };
  const before = opened.current.document === undefined ? undefined : readGroup(opened.current.document);
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const isDeleting = useSignal(false);
  const draft: GroupDraft = { ...(before ?? newGroup), ...typed.value };
  const changes = createGroupChanges(before, draft);
  const isChanged = Object.keys(changes).length > 0;
  const { layerGroups: words } = t();
  const problem = error.value === undefined ? undefined : toProblem(error.value);
  const errors = new Map(
    (problem === undefined ? [] : listFieldProblems(problem)).map(({ field, message }) => [
      field.replace('layerGroup.', ''),
      message,
    ]),
  );
  const list = workspace === undefined ? '/layergroups' : rest`/workspaces/${workspace}/layergroups`;
  const save = async () => {
    isBusy.value = true;
    error.value = undefined;
    const target = document === undefined ? list : getRestPath(workspace, document.name);
    const request = {
      method: document === undefined ? 'POST' : 'PUT',
      body: { layerGroup: changes },
      headers: opened.current.etag === null ? {} : { 'if-match': opened.current.etag },
    } as const;
    try {
      await callRest(withQuery(target, { dryRun: true }), request);
      const reply = await writeRest(target, request);
      reportChange(words.saved(draft.name), reply);
      typed.value = {};
      if (document?.name !== draft.name) navigate(getGroupPath(draft.name, workspace), { replace: true });
    } catch (reason) {
      error.value = reason;
    }
    isBusy.value = false;
  };
  return (
    <div class="group">
      <header class="group-head">
        <div>
          <nav class="layer-crumbs" aria-label={words.title}>
            <a href={toUrl(workspace === undefined ? 'groups' : path`w/${workspace}/groups`)}>
              {workspace ?? words.global}
            </a>
            <span aria-hidden="true">/</span>
            <span>{document?.name ?? words.create}</span>
          </nav>
          <h1>{document === undefined ? words.createTitle : document.title || document.name}</h1>
        </div>
        {document === undefined ? null : <PageTools path={getRestPath(workspace, document.name)} />}
        {document === undefined ? null : (
          <Button
            icon="trash"
            onClick={() => {
              isDeleting.value = true;
            }}
          >
            {words.delete}
          </Button>
        )}
      </header>
      <div class="group-body">
        <form
          class="group-side"
          novalidate
          onSubmit={(event) => {
            event.preventDefault();
            if (isChanged) void save();
          }}
        >
          {problem === undefined ? null : <ProblemNotice error={problem} />}
          <GroupForm
            draft={draft}
            workspace={workspace}
            errors={errors}
            onChange={(next) => {
              typed.value = { ...typed.peek(), ...next };
            }}
          />
          <footer class="publishing-foot">
            <span class="muted" role="status">
              {isChanged && before !== undefined ? words.unsaved : ''}
            </span>
            {before === undefined ? null : (
              <Button
                disabled={!isChanged || isBusy.value}
                onClick={() => {
                  typed.value = {};
                  error.value = undefined;
                }}
              >
                {t().publishing.discard}
              </Button>
            )}
            <Button
              shortcut="Control+S"
              type="submit"
              kind="primary"
              disabled={!isChanged || isBusy.value}
              isBusy={isBusy.value}
            >
              {before === undefined ? words.create : t().publishing.save}
            </Button>
          </footer>
        </form>
        <Preview key={document?.name ?? ''} draft={draft} extent={toDegrees(document)} />
      </div>
      {isDeleting.value && document !== undefined ? (
        <DeleteGroup
          name={document.name}
          target={getRestPath(workspace, document.name)}
          onClose={() => {
            isDeleting.value = false;
          }}
          onDeleted={() => navigate(workspace === undefined ? 'groups' : path`w/${workspace}/groups`)}
        />
      ) : null}
    </div>
  );
}

/** Members are drawn one by one, so that order and styles show before they are saved. */
function Preview({ draft, extent }: { readonly draft: GroupDraft; readonly extent: BoundingBox | undefined }) {
  const model = useMapModel();
  const members = [...new Map(draft.members.map((member) => [member.name, member])).values()];
  const layers = members.map(({ name, style }) => ({
    ...{ name, style, opacity: 1, isVisible: true, filter: '', time: '' },
  }));
  const drawn = joinDraws(layers.map(({ name }) => model.draws.value[name]));
  const { layerGroups: words } = t();
  return (
    <div class="group-map">
      <MapCanvas
        model={model}
        label={words.preview}
        layers={layers}
        extent={extent}
        bar={
          <span class="map-state" role="status">
            {layers.length === 0 ? null : <RequestState state={drawn} />}
          </span>
        }
      />
    </div>
  );
}

/** Other boxes than those in degrees leave the map on the world. */
function toDegrees(document: GroupDocument | undefined): BoundingBox | undefined {
  return document?.bounds?.crs === 'EPSG:4326' ? document.bounds : undefined;
}
