/** How a layer is published: names, reference system, boxes, dimensions, attributes and services, saved as one change. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../../parts/button/button.tsx';
import { reportChange } from '../../../../parts/changes/report-change.ts';
import { Dialog } from '../../../../parts/dialog/dialog.tsx';
import { FieldDiff } from '../../../../parts/diff/diff.tsx';
import { ProblemNotice, Remark } from '../../../../parts/notice/notice.tsx';
import { useRest, writeRest } from '../../../../rest/cache.ts';
import { callRest, withQuery } from '../../../../rest/client.ts';
import { lastChange } from '../../../../rest/events.ts';
import { listFieldProblems, type RestProblem, toProblem } from '../../../../rest/problems.ts';
import { t } from '../../../../words/words.ts';
import type { LayerView } from '../page.tsx';
import {
  createChanges,
  listChanged,
  type PublishDocument,
  type PublishValues,
  readValues,
} from './publishing-draft.ts';
import type { FormState } from './publishing-fields.tsx';
import { PublishForm } from './publishing-form.tsx';

interface PublishTabProps {
  readonly view: LayerView;
  /** Below REST. */
  readonly path: string;
}

type Documents = Readonly<Record<string, PublishDocument>>;

export function PublishTab({ view, path }: PublishTabProps) {
  const read = useRest<Documents>(path);
  const [entry] = Object.entries(read.data?.body ?? {});
  if (read.error !== null) return <ProblemNotice error={read.error} onRetry={() => void read.refetch()} />;
  if (entry === undefined || read.data === undefined) return null;
  const [root, document] = entry;
  return <Editor view={view} path={path} root={root} document={document} etag={read.data.etag} />;
}

interface EditorProps extends PublishTabProps {
  /** The name of the document, such as featureType. */
  readonly root: string;
  readonly document: PublishDocument;
  readonly etag: string | null;
}

function Editor({ view, path, root, document, etag }: EditorProps) {
  // The state that the user has seen: changes of others must not get lost.
  const base = useSignal({ document, etag });
  const typed = useSignal<PublishValues>({});
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const isConfirming = useSignal(false);
  const hints = useHints(root);
  const summary = useRef<HTMLDivElement>(null);
  const { publishing: words } = t();
  const before = readValues(base.value.document);
  const values = { ...before, ...typed.value };
  const changed = listChanged(before, values);
  const isNewer = etag !== base.value.etag;
  // A form without changes follows the server.
  useEffect(() => {
    if (isNewer && changed.length === 0) base.value = { document, etag };
  }, [isNewer, changed.length]);
  const problem = error.value === undefined ? undefined : toProblem(error.value);
  const errors = toFieldErrors(problem, root);
  useEffect(() => {
    if (problem === undefined) return;
    const input = summary.current?.parentElement?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (input ?? summary.current)?.focus();
  }, [error.value]);

  const send = async (isDry: boolean) => {
    const body = { [root]: createChanges(base.peek().document, { ...before, ...typed.peek() }) };
    const match = base.peek().etag;
    const request = { method: 'PUT', body, headers: match === null ? {} : { 'if-match': match } } as const;
    if (isDry) return void (await callRest(withQuery(path, { dryRun: true }), request));
    const reply = await writeRest(path, request);
    typed.value = {};
    reportChange(words.saved(view.name), reply);
  };
  const attempt = async (work: () => Promise<void>) => {
    isBusy.value = true;
    error.value = undefined;
    try {
      await work();
    } catch (reason) {
      error.value = reason;
    }
    isBusy.value = false;
  };
  const save = () =>
    attempt(async () => {
      await send(true);
      if (changed.length > 1) isConfirming.value = true;
      else await send(false);
    });
  const recalculate = () =>
    attempt(async () => {
      const target = withQuery(path, { recalculate: 'nativebbox,latlonbbox' });
      const headers = base.peek().etag === null ? {} : { 'if-match': base.peek().etag ?? '' };
      const reply = await writeRest(target, { method: 'PUT', body: { [root]: {} }, headers });
      reportChange(words.recalculated, reply);
    });
  const form: FormState = {
    values,
    errors,
    hints,
    onChange: (name, value) => {
      typed.value = { ...typed.peek(), [name]: value };
    },
  };
  return (
    <form
      class="publishing"
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        if (changed.length > 0) void save();
      }}
    >
      <div ref={summary} tabIndex={-1} class="publishing-summary">
        {isNewer && changed.length > 0 ? (
          <Meanwhile
            before={before}
            now={readValues(document)}
            onKeep={() => {
              base.value = { document, etag };
              error.value = undefined;
            }}
            onDiscard={() => {
              typed.value = {};
              error.value = undefined;
            }}
          />
        ) : null}
        {problem === undefined || (problem.status === 412 && isNewer) ? null : <ProblemNotice error={problem} />}
      </div>
      <PublishForm
        form={form}
        document={base.value.document}
        type={view.layer.type}
        {...(root === 'featureType' ? { onRecalculate: () => void recalculate() } : {})}
        isBusy={isBusy.value}
      />
      <footer class="publishing-foot">
        <span class="muted" role="status">
          {words.changed(changed.length)}
        </span>
        <Button
          disabled={changed.length === 0 || isBusy.value}
          onClick={() => {
            typed.value = {};
            error.value = undefined;
          }}
        >
          {words.discard}
        </Button>
        <Button
          shortcut="Control+S"
          type="submit"
          kind="primary"
          disabled={changed.length === 0 || isBusy.value}
          isBusy={isBusy.value}
        >
          {words.save}
        </Button>
      </footer>
      {isConfirming.value ? (
        <Dialog
          title={words.confirm}
          onClose={() => {
            isConfirming.value = false;
          }}
        >
          <div class="publishing-confirm">
            <FieldDiff label={words.confirm} rows={listRows(changed, before, values)} />
            <Button
              kind="primary"
              shortcut="Control+Enter"
              onClick={() => {
                isConfirming.value = false;
                void attempt(() => send(false));
              }}
            >
              {words.saveAll(changed.length)}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </form>
  );
}

function listRows(names: readonly string[], before: PublishValues, after: PublishValues) {
  const { fields } = t().publishing;
  return names.map((name) => ({
    field: fields[name] ?? name,
    before: before[name] || undefined,
    after: after[name] || undefined,
  }));
}

interface MeanwhileProps {
  readonly before: PublishValues;
  readonly now: PublishValues;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Another user has saved: the user sees what, and decides about the own changes. */
function Meanwhile({ before, now, onKeep, onDiscard }: MeanwhileProps) {
  const { publishing: words } = t();
  return (
    <Remark kind="warning">
      <strong>{words.meanwhile(lastChange.value?.who)}</strong>
      <FieldDiff label={words.theirChanges} rows={listRows(listChanged(before, now), before, now)} />
      <p class="publishing-choice">
        <Button onClick={onKeep}>{words.keepMine}</Button>
        <Button onClick={onDiscard}>{words.takeTheirs}</Button>
      </p>
    </Remark>
  );
}

/** Fields of the server are paths such as `featureType.metadata.time`. */
function toFieldErrors(problem: RestProblem | undefined, root: string): ReadonlyMap<string, string> {
  const found = problem === undefined ? [] : listFieldProblems(problem);
  const names: Readonly<Record<string, string>> = {
    'metadata.time': 'time.attribute',
    'metadata.elevation': 'elevation.attribute',
  };
  return new Map(
    found.map(({ field, message }) => {
      const name = field.startsWith(`${root}.`) ? field.slice(root.length + 1) : field;
      return [names[name] ?? name, message];
    }),
  );
}

interface OpenApi {
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Readonly<Record<string, { readonly description?: string }>> }>
    >;
  };
}

/** The descriptions of the fields of a document. They explain; without them, the form works as well. */
function useHints(root: string): ReadonlyMap<string, string> {
  const read = useRest<OpenApi>('/openapi.json');
  const name = `${root.charAt(0).toUpperCase()}${root.slice(1)}`;
  const properties = read.data?.body.components.schemas[name]?.properties ?? {};
  return new Map(
    Object.entries(properties).flatMap(([field, { description }]) =>
      description === undefined ? [] : [[field, description]],
    ),
  );
}
