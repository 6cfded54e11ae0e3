/** Adds files to a mosaic: from a path that the server can read, or from this computer. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { UploadProgress } from '../../../parts/upload-progress/upload-progress.tsx';
import { rest, withQuery } from '../../../rest/client.ts';
import { type UploadRequest, uploadFile } from '../../../rest/upload.ts';
import { t } from '../../../words/words.ts';
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
  /** The share that is sent; undefined while nothing runs. */
  const share = useSignal<number | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const result = useSignal<HarvestReport | undefined>(undefined);
  const path = useRef('');
  const file = useRef<HTMLInputElement>(null);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const { granules: words } = t();
  const store = rest`/workspaces/${place.workspace}/coveragestores/${place.store}`;
  const harvest = async () => {
    const request = createRequest(source.peek(), path.current, file.current?.files?.[0]);
    if (request === undefined) return;
    stop.current = new AbortController();
    share.value = 0;
    error.value = undefined;
    result.value = undefined;
    try {
      const target = withQuery(`${store}/${request.method}.imagemosaic`, { updateBBox: true });
      const reply = await uploadFile<HarvestReport>(target, {
        ...request.send,
        method: 'POST',
        signal: stop.current.signal,
        onProgress: (sent) => {
          share.value = sent;
        },
      });
      result.value = reply.body;
      reportChange(words.harvested(reply.body.harvest?.granules ?? 0), reply);
      onHarvested();
      if ((reply.body.harvest?.skippedFiles ?? 0) === 0) onClose();
    } catch (reason) {
      if (!stop.current.signal.aborted) error.value = reason;
    }
    share.value = undefined;
  };
  const isBusy = share.value !== undefined;
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
        {share.value === undefined ? null : (
          <UploadProgress label={words.harvesting} share={share.value} onCancel={() => stop.current?.abort()} />
        )}
        <div class="granules-buttons">
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
): { readonly method: 'external' | 'file'; readonly send: Pick<UploadRequest, 'body' | 'contentType'> } | undefined {
  if (source === 'path') {
    const text = path.trim();
    if (text === '') return undefined;
    const url = /^[a-z]+:/i.test(text) ? text : `file://${text.startsWith('/') ? '' : '/'}${text}`;
    return { method: 'external', send: { body: new Blob([url]), contentType: 'text/plain' } };
  }
  if (file === undefined) return undefined;
  const contentType = file.name.toLowerCase().endsWith('.zip')
    ? 'application/zip'
    : file.type || 'application/octet-stream';
  return { method: 'file', send: { body: file, contentType } };
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
