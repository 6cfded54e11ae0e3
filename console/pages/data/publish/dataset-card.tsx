/** One dataset: what it is, where it goes, what the dry run found, and the button that publishes it. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { reportChange } from '../../../parts/changes/report-change.ts';
import { WorkspaceField } from '../../../parts/combobox/workspace-field.tsx';
import { Field } from '../../../parts/field/field.tsx';
import { Icon } from '../../../parts/icon/icon.tsx';
import { ProblemNotice, Remark } from '../../../parts/notice/notice.tsx';
import { UploadProgress } from '../../../parts/upload-progress/upload-progress.tsx';
import { writeRest } from '../../../rest/cache.ts';
import { toProblem } from '../../../rest/problems.ts';
import { session } from '../../../rest/session.ts';
import { navigate, path, toUrl } from '../../../shell/router.ts';
import { formatList, formatNumber, t } from '../../../words/words.ts';
import { DatasetReport } from './dataset-report.tsx';
import { choose, type Publication } from './publication.ts';

interface DatasetCardProps {
  readonly publication: Publication;
  /** A single dataset opens its layer after the publication. */
  readonly isOnly: boolean;
}

const BYTES_PER_KB = 1_000;

export function DatasetCard({ publication, isOnly }: DatasetCardProps) {
  const { dataset, state } = publication;
  const { publish: words } = t();
  const isPublishing = useSignal(false);
  const publish = async () => {
    isPublishing.value = true;
    const published = await publication.publish();
    isPublishing.value = false;
    if (published === undefined) return;
    const { resources, change } = published;
    const [first] = resources;
    const text = resources.length === 1 ? words.published(first?.name ?? '') : words.publishedMany(resources.length);
    reportChange(text, { change });
    const workspace = publication.workspace.peek();
    if (isOnly) {
      navigate(resources.length === 1 ? path`w/${workspace}/layers/${first?.name ?? ''}` : path`w/${workspace}/layers`);
    }
  };
  const current = state.value;
  return (
    <section class="publish-card" aria-label={dataset.name} data-state={current.kind}>
      <header class="publish-card-head">
        <span class="publish-card-icon">
          <Icon name={dataset.kind === 'vector' ? 'layers' : 'image'} size={22} />
        </span>
        <div>
          <h2>
            {words.kinds[dataset.format] ?? dataset.format}: {dataset.name}
          </h2>
          <p class="muted" title={dataset.files.join('\n')}>
            {words.fileCount(dataset.files.length)}, {formatSize(dataset.bytes)}
          </p>
        </div>
      </header>
      {current.kind === 'done' ? <Done publication={publication} /> : <Target publication={publication} />}
      <div class="publish-state">
        <State publication={publication} />
      </div>
      {current.kind === 'checked' ? (
        <>
          <DatasetReport publication={publication} report={current.report} />
          <footer class="publish-card-foot">
            {publication.isReplacing.value ? <p class="muted">{words.replaces}</p> : null}
            <Button kind="primary" onClick={() => void publish()} disabled={isPublishing.value}>
              {current.report.resources.length > 1
                ? words.publishMany(current.report.resources.length)
                : words.publishOne}
            </Button>
          </footer>
        </>
      ) : null}
    </section>
  );
}

function formatSize(bytes: number): string {
  const kilobytes = bytes / BYTES_PER_KB;
  const isSmall = kilobytes < 1_000;
  const value = isSmall ? kilobytes : kilobytes / 1_000;
  const unit = isSmall ? 'kilobyte' : 'megabyte';
  return formatNumber(value, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 });
}

function Target({ publication }: { readonly publication: Publication }) {
  const { workspace, store, isReplacing } = publication;
  const { publish: words } = t();
  return (
    <div class="publish-target">
      <WorkspaceField
        value={workspace.value}
        onChange={(name) =>
          choose(publication, () => {
            workspace.value = name;
            isReplacing.value = false;
          })
        }
      />
      <form
        onSubmit={(event) => event.preventDefault()}
        onChange={(event) => {
          const { target } = event;
          if (!(target instanceof HTMLInputElement) || target.value.trim() === '') return;
          choose(publication, () => {
            store.value = target.value.trim();
            isReplacing.value = false;
          });
        }}
      >
        <Field
          key={store.value}
          label={words.storeName}
          name="store"
          defaultValue={store.value}
          hint={words.storeHint}
        />
      </form>
    </div>
  );
}

function State({ publication }: { readonly publication: Publication }) {
  const current = publication.state.value;
  const { publish: words } = t();
  switch (current.kind) {
    case 'sending': {
      const { share, isReal } = current;
      const label = isReal ? words.publishing : words.checking;
      return <UploadProgress label={label} share={share} onCancel={() => publication.cancel()} />;
    }
    case 'cancelled':
      return (
        <Remark kind="info">
          <span role="status">{words.cancelled}</span>
          <p>
            <Button onClick={() => void publication.check()}>{words.checkAgain}</Button>
          </p>
        </Remark>
      );
    case 'failed':
      return <Failure publication={publication} error={current.error} />;
    case 'exists':
      return <Existing publication={publication} layers={current.layers} />;
    default:
      return null;
  }
}

function Failure({ publication, error }: { readonly publication: Publication; readonly error: unknown }) {
  const { publish: words } = t();
  const failure = useSignal<unknown>(undefined);
  const name = publication.workspace.value;
  const isMissing = toProblem(error).code === 'workspace-unknown' && session.value?.isAdministrator === true;
  if (!isMissing) return <ProblemNotice error={error} onRetry={() => void publication.check()} />;
  const create = async () => {
    try {
      const reply = await writeRest('/workspaces', { method: 'POST', body: { workspace: { name } } });
      reportChange(words.created(name), reply);
      await publication.check();
    } catch (reason) {
      failure.value = reason;
    }
  };
  return (
    <>
      <Remark kind="info">
        <span>{toProblem(error).document.detail}</span>
        <p>
          <Button kind="primary" onClick={() => void create()}>
            {words.createWorkspace}: {name}
          </Button>
        </p>
      </Remark>
      {failure.value === undefined ? null : <ProblemNotice error={failure.value} />}
    </>
  );
}

function Existing({ publication, layers }: { readonly publication: Publication; readonly layers: readonly string[] }) {
  const { publish: words } = t();
  const name = publication.store.value;
  const next = createNextName(name);
  return (
    <Remark kind="warning">
      <strong role="status">{words.exists(name)}</strong>
      {layers.length === 0 ? null : <span>{words.existsLayers(formatList(layers))}</span>}
      <p class="publish-choices">
        <Button
          kind="primary"
          onClick={() =>
            choose(publication, () => {
              publication.store.value = next;
            })
          }
        >
          {words.otherName(next)}
        </Button>
        <Button
          onClick={() =>
            choose(publication, () => {
              publication.isReplacing.value = true;
            })
          }
        >
          {words.replace}
        </Button>
      </p>
    </Remark>
  );
}

/** `roads` becomes `roads_2`, and `roads_2` becomes `roads_3`. */
function createNextName(name: string): string {
  const [, stem = name, number] = /^(.*)_(\d{1,4})$/.exec(name) ?? [];
  return `${stem}_${number === undefined ? 2 : Number(number) + 1}`;
}

function Done({ publication }: { readonly publication: Publication }) {
  const current = publication.state.value;
  if (current.kind !== 'done') return null;
  return (
    <ul class="publish-done">
      {current.resources.map(({ name }) => (
        <li key={name}>
          <Icon name="check" size={18} />
          <a href={toUrl(path`w/${publication.workspace.value}/layers/${name}`)}>{name}</a>
        </li>
      ))}
    </ul>
  );
}
