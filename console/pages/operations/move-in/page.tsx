/** Takes over a data directory of GeoServer: the archive is translated, its report is shown, and the plan is applied. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { DropZone } from '../../../parts/drop-zone/drop-zone.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { UploadProgress } from '../../../parts/upload-progress/upload-progress.tsx';
import { withQuery } from '../../../rest/client.ts';
import { uploadFile } from '../../../rest/upload.ts';
import { t } from '../../../words/words.ts';
import { PlanView } from '../configuration/plan-view.tsx';
import { toPassphraseHeader } from '../configuration/send-configuration.ts';
import { OperationsFrame } from '../frame.tsx';
import { decodePath } from '../history/resource-link.tsx';
import { type PlannedMove, planMove } from './plan-move.ts';
import { ReportView } from './report-view.tsx';
import type { Rejection, Translation } from './types.ts';

/** Of what the server rejects. */
const SHOWN_REJECTIONS = 50;

export function Page() {
  const { moveInPages: words } = t();
  const password = useSignal('');
  const addsUrlChecks = useSignal(false);
  const state = useSignal('');
  const share = useSignal<number | undefined>(undefined);
  const stop = useRef<AbortController>(undefined);
  const failure = useSignal<unknown>(undefined);
  const translation = useSignal<Translation | undefined>(undefined);
  const planned = useSignal<PlannedMove | undefined>(undefined);

  const start = async (file: File) => {
    failure.value = undefined;
    translation.value = undefined;
    planned.value = undefined;
    state.value = words.translating;
    stop.current = new AbortController();
    share.value = 0;
    try {
      const path = withQuery('/configuration/translate', { addUrlChecks: addsUrlChecks.value || undefined });
      const reply = await uploadFile<Translation>(path, {
        method: 'POST',
        body: file,
        contentType: 'application/zip',
        headers: toPassphraseHeader(password.value),
        signal: stop.current.signal,
        onProgress: (sent) => {
          share.value = sent;
        },
      });
      share.value = undefined;
      translation.value = reply.body;
      planned.value = await planMove(file.name, reply.body.configuration, (attempt) => {
        state.value = words.planning(attempt);
      });
    } catch (error) {
      if (!stop.current.signal.aborted) failure.value = error;
    } finally {
      share.value = undefined;
      state.value = '';
    }
  };
  const shown = planned.value;
  return (
    <OperationsFrame page="move-in">
      {shown === undefined && state.value === '' ? (
        <>
          <p class="operations-lead">{words.lead}</p>
          <DropZone
            single={{ title: words.drop, hint: words.dropHint }}
            accept={['.zip']}
            onFiles={([file]) => {
              if (file !== undefined) void start(file);
            }}
          />
          <div class="operations-card">
            <Field
              label={words.password}
              name="master-password"
              type="password"
              autocomplete="off"
              hint={words.passwordHint}
              onInput={(value) => {
                password.value = value;
              }}
            />
            <label class="check">
              <input
                type="checkbox"
                checked={addsUrlChecks.value}
                onChange={(event) => {
                  addsUrlChecks.value = event.currentTarget.checked;
                }}
              />
              {words.addUrlChecks}
            </label>
          </div>
        </>
      ) : null}
      <div aria-live="polite">
        {share.value !== undefined ? (
          <UploadProgress label={state.value} share={share.value} onCancel={() => stop.current?.abort()} />
        ) : state.value === '' ? null : (
          <p class="muted">{state.value}</p>
        )}
        {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
      </div>
      {translation.value === undefined ? null : <ReportView report={translation.value.report} />}
      {shown === undefined ? (
        <>
          <p class="muted">{words.commandLine}</p>
          <pre class="backups-command" tabIndex={0}>
            <code>graticule move-in SOURCE</code>
          </pre>
        </>
      ) : (
        <>
          <Rejections rejections={shown.rejections} />
          <PlanView
            candidate={shown.candidate}
            plan={shown.plan}
            onPlan={(plan) => {
              planned.value = { ...shown, plan };
            }}
            onClose={() => {
              planned.value = undefined;
              translation.value = undefined;
            }}
          />
        </>
      )}
    </OperationsFrame>
  );
}

function Rejections({ rejections }: { readonly rejections: readonly Rejection[] }) {
  const { moveInPages: words, historyPages } = t();
  if (rejections.length === 0) return null;
  return (
    <Remark kind="warning">
      <strong>{words.rejected(rejections.length)}</strong>
      <ul>
        {rejections.slice(0, SHOWN_REJECTIONS).map(({ path, field, message }, index) => (
          <li key={index}>
            {decodePath(path)} ({field ?? words.wholeResource}): {message}
          </li>
        ))}
        {rejections.length > SHOWN_REJECTIONS ? (
          <li>{historyPages.more(rejections.length - SHOWN_REJECTIONS)}</li>
        ) : null}
      </ul>
    </Remark>
  );
}
