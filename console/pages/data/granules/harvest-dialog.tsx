/** Adds files to a mosaic: from a path that the server can read, or from this computer. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { type RestRequest, rest, withQuery } from '../../../rest/client.ts';
import { formatNumber, t } from '../../../words/words.ts';
import type { Place } from './read-granules.ts';

interface HarvestDialogProps {
  readonly place: Place;
  readonly onClose: () => void;
  readonly onHarvested: () => void;
}

interface HarvestReport {
  readonly harvest?: {
    readonly granules?: number;
    readonly files?: number;
    readonly skippedFiles?: number;
    /** The first thousand. */
    readonly skipped?: { readonly file: readonly { readonly name: string; readonly reason: string }[] };
  };
}

const SHOWN = 50;

export function HarvestDialog({ place, onClose, onHarvested }: HarvestDialogProps) {
  const source = useSignal<'path' | 'file'>('path');
  const startedAt = useSignal<number | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const result = useSignal<HarvestReport | undefined>(undefined);
  const path = useRef('');
  const file = useRef<HTMLInputElement>(null);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const { granules: words, app } = t();
  const store = rest`/workspaces/${place.workspace}/coveragestores/${place.store}`;
  const harvest = async () => {
    const request = createRequest(source.peek(), path.current, file.current?.files?.[0]);
    if (request === undefined) return;
    stop.current = new AbortController();
    startedAt.value = Date.now();
    error.value = undefined;
    result.value = undefined;
    try {
      const target = withQuery(`${store}/${request.method}.imagemosaic`, { updateBBox: true });
      const reply = await writeRest<HarvestReport>(target, { ...request.send, signal: stop.current.signal });
      result.value = reply.body;
      reportChange(words.harvested(reply.body.harvest?.granules ?? 0), reply);
      onHarvested();
      if ((reply.body.harvest?.skippedFiles ?? 0) === 0) onClose();
    } catch (reason) {
      if (!stop.current.signal.aborted) error.value = reason;
    }
    startedAt.value = undefined;
  };
  const isBusy = startedAt.value !== undefined;
  return (
    <Dialog title={words.harvestTitle} onClose={onClose}>
      <form
        class="granules-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void harvest();
        }}
      >
        <fieldset class="choice use-targets">
          <legend class="unseen">{words.source}</legend>
          {(['path', 'file'] as const).map((each) => (
            <label key={each} class="use-target">
              <input
                type="radio"
                name="source"
                checked={source.value === each}
                onChange={() => {
                  source.value = each;
                }}
              />
              {words.sources[each]}
            </label>
          ))}
        </fieldset>
        {source.value === 'path' ? (
          <Field
            label={words.path}
            name="path"
            hint={words.pathHint}
            defaultValue={path.current}
            onInput={(text) => {
              path.current = text;
            }}
          />
        ) : (
          <label class="field">
            <span class="field-name">{words.file}</span>
            <input ref={file} class="input" type="file" name="file" />
            <span class="field-hint">{words.fileHint}</span>
          </label>
        )}
        {error.value === undefined ? null : <ProblemNotice error={error.value} />}
        <Skipped report={result.value} />
        {isBusy ? <Progress since={startedAt.value ?? 0} /> : null}
        <div class="granules-buttons">
          {isBusy ? <Button onClick={() => stop.current?.abort()}>{app.cancel}</Button> : null}
          <Button type="submit" kind="primary" disabled={isBusy} isBusy={isBusy}>
            {words.harvest}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function createRequest(
  source: 'path' | 'file',
  path: string,
  file: File | undefined,
): { readonly method: 'external' | 'file'; readonly send: RestRequest } | undefined {
  if (source === 'path') {
    const text = path.trim();
    if (text === '') return undefined;
    const url = /^[a-z]+:/i.test(text) ? text : `file://${text.startsWith('/') ? '' : '/'}${text}`;
    return { method: 'external', send: { method: 'POST', body: url, contentType: 'text/plain' } };
  }
  if (file === undefined) return undefined;
  const contentType = file.name.toLowerCase().endsWith('.zip')
    ? 'application/zip'
    : file.type || 'application/octet-stream';
  return { method: 'file', send: { method: 'POST', body: file, contentType } };
}

/** The server answers at the end: the time that has passed shows that the request is running. */
function Progress({ since }: { readonly since: number }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  const { granules: words } = t();
  return (
    <div class="granules-progress">
      <progress aria-label={words.harvesting} />
      <span class="muted">{words.running(formatNumber(Math.max(0, Math.round((now.value - since) / 1_000))))}</span>
    </div>
  );
}

function Skipped({ report }: { readonly report: HarvestReport | undefined }) {
  const { skipped, skippedFiles = 0 } = report?.harvest ?? {};
  const { granules: words } = t();
  if (skippedFiles === 0) return null;
  return (
    <div role="alert">
      <p>{words.skipped(skippedFiles)}</p>
      <ul class="granules-listed">
        {skipped?.file.slice(0, SHOWN).map(({ name, reason }) => (
          <li key={name}>
            {name}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
