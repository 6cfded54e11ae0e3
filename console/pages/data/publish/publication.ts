/** The upload of one dataset: first a dry run that describes it, then the publication. */
import { batch, type Signal, signal } from '@preact/signals';
import { callRest, type RestReply, rest, withQuery } from '../../../rest/client.ts';
import { toProblem } from '../../../rest/problems.ts';
import { uploadFile } from '../../../rest/upload.ts';
import type { Dataset } from './datasets.ts';
import { type ReportedResource, readReport, type UploadDocument, type UploadReport } from './upload-report.ts';

export type PublicationState =
  | { readonly kind: 'idle' }
  /** Without a share once everything is sent. */
  | { readonly kind: 'sending'; readonly isReal: boolean; readonly share: number }
  | { readonly kind: 'checked'; readonly report: UploadReport }
  | { readonly kind: 'exists'; readonly layers: readonly string[] }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'done'; readonly resources: readonly ReportedResource[] };

export interface PublishedLayers {
  readonly resources: readonly ReportedResource[];
  readonly change: number | null;
}

/** Keeps the choices of the user while the files are checked again. */
export class Publication {
  readonly dataset: Dataset;
  readonly store: Signal<string>;
  readonly workspace: Signal<string>;
  readonly charset = signal('');
  readonly crs = signal('');
  readonly isReplacing = signal(false);
  readonly state = signal<PublicationState>({ kind: 'idle' });
  #stop = new AbortController();

  constructor(dataset: Dataset, workspace: string) {
    this.dataset = dataset;
    this.store = signal(dataset.name);
    this.workspace = signal(workspace);
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** Sends the files as a dry run, unless the store exists and the user has not decided to replace it. */
  check(): Promise<void> {
    return this.#run(async (stop) => {
      const layers = this.isReplacing.peek() ? undefined : await this.#findExisting(stop);
      if (layers !== undefined) return { kind: 'exists', layers };
      const { body } = await this.#send(false, stop);
      return { kind: 'checked', report: readReport(body) };
    });
  }

  /** Returns what was published; undefined if it failed, which the state says. */
  async publish(): Promise<PublishedLayers | undefined> {
    let published: PublishedLayers | undefined;
    await this.#run(async (stop) => {
      const { body, change } = await this.#send(true, stop);
      const { resources } = readReport(body);
      published = { resources, change };
      return { kind: 'done', resources };
    });
    return published;
  }

  async #run(work: (stop: AbortSignal) => Promise<PublicationState>): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    const apply = (state: PublicationState) => {
      // A later run has its own state.
      if (this.#stop === stop) this.state.value = state;
    };
    apply({ kind: 'sending', isReal: false, share: 0 });
    try {
      apply(await work(stop.signal));
    } catch (error) {
      apply(stop.signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', error });
    }
  }

  get #collection(): string {
    return this.dataset.kind === 'vector' ? 'datastores' : 'coveragestores';
  }

  /** Returns the layers of a store with this name; undefined if there is none. */
  async #findExisting(stop: AbortSignal): Promise<readonly string[] | undefined> {
    const store = rest`/workspaces/${this.workspace.peek()}/${this.#collection}/${this.store.peek()}`;
    const isVector = this.dataset.kind === 'vector';
    const [list, item] = isVector ? ['featureTypes', 'featureType'] : ['coverages', 'coverage'];
    try {
      const path = `${store}/${isVector ? 'featuretypes' : 'coverages'}?limit=20`;
      const { body } = await callRest<Record<string, unknown>>(path, { signal: stop });
      const found = (body[list ?? ''] as Record<string, readonly { readonly name: string }[]> | '') || {};
      return (found[item ?? ''] ?? []).map(({ name }) => name);
    } catch (error) {
      if (toProblem(error).status === 404) return undefined;
      throw error;
    }
  }

  async #send(isReal: boolean, stop: AbortSignal): Promise<RestReply<UploadDocument>> {
    const { dataset } = this;
    const body = await dataset.createBody(await this.#createPrjFiles(stop));
    const charset = this.charset.peek();
    const crs = this.crs.peek();
    const path = withQuery(
      rest`/workspaces/${this.workspace.peek()}/${this.#collection}/${this.store.peek()}/file.${dataset.format}`,
      {
        ...(dataset.kind === 'vector' ? { configure: 'all' } : {}),
        ...dataset.query,
        filename: dataset.contentType === 'application/zip' ? undefined : dataset.files[0],
        charset: charset === '' ? undefined : charset,
        // Shapefiles are completed with a .prj file.
        srs: crs === '' || dataset.withoutPrj.length > 0 ? undefined : crs,
        details: true,
        dryRun: isReal ? undefined : true,
      },
    );
    return uploadFile<UploadDocument>(path, {
      body,
      contentType: dataset.contentType,
      signal: stop,
      onProgress: (share) => {
        this.state.value = { kind: 'sending', isReal, share };
      },
    });
  }

  /** A chosen CRS becomes part of the shapefile, so that it is the same change and belongs to the data. */
  async #createPrjFiles(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const { withoutPrj } = this.dataset;
    const crs = this.crs.peek();
    if (crs === '' || withoutPrj.length === 0) return {};
    const { body } = await callRest<string>(rest`/crs/${crs}.wkt`, { accept: 'text/plain', signal });
    return Object.fromEntries(withoutPrj.map((name) => [`${name}.prj`, body]));
  }
}

/** Sets several choices with one check. */
export function choose(publication: Publication, work: () => void): void {
  batch(work);
  void publication.check();
}
