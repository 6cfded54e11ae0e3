/** The edits that are not saved yet, and the feature that is edited at the moment. */
import { signal } from '@preact/signals';
import type { FeatureEditor, GeometryType } from '../../../../map/feature-editor.ts';
import type { LayerMap } from '../../../../map/layer-map.ts';
import { showToast } from '../../../../parts/toast/toast.tsx';
import { queries } from '../../../../rest/cache.ts';
import { toProblem } from '../../../../rest/problems.ts';
import { t } from '../../../../words/words.ts';
import type { MapModel } from '../../map/map-model.ts';
import type { LayerView } from '../page.tsx';
import {
  type Edit,
  type EditContext,
  type FeatureSchema,
  type GeometryValue,
  reverseEdits,
  type StoredFeature,
  type Values,
} from './format-transaction.ts';
import { readSchema, readStoredFeature } from './read-edits.ts';
import { sendEdits } from './transaction.ts';

export interface Draft {
  /** The id, or a text that no feature has. */
  readonly key: string;
  /** Undefined for a new feature. */
  readonly stored: StoredFeature | undefined;
  readonly values: Values;
  readonly geometry: GeometryValue | null;
  readonly isDeleted: boolean;
}

const drawable: readonly string[] = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
] satisfies readonly GeometryType[];

export class EditSession {
  readonly drafts = signal<ReadonlyMap<string, Draft>>(new Map());
  readonly current = signal<string | undefined>(undefined);
  readonly schema = signal<FeatureSchema | undefined>(undefined);
  readonly editor = signal<FeatureEditor | undefined>(undefined);
  readonly error = signal<unknown>(undefined);
  readonly isBusy = signal(false);
  /** The CRS of all geometries here. */
  readonly crs: string;
  /** Features that the filter hides are not chosen. */
  filter = '';
  readonly #view: LayerView;
  readonly #model: MapModel;
  #count = 0;
  /** Counts what the user has chosen: a feature that is read meanwhile is not shown any more. */
  #choices = 0;

  constructor(view: LayerView, model: MapModel) {
    this.#view = view;
    this.#model = model;
    const srs = view.resource?.srs ?? '';
    this.crs = /^EPSG:\d+$/.test(srs) ? srs : 'EPSG:4326';
  }

  /** Takes over the clicks of the map until the returned function is called. */
  start(map: LayerMap): () => void {
    let isCurrent = true;
    const open = async () => {
      this.schema.value ??= await readSchema(this.#view.qualifiedName);
      const editor = await map.edit({
        crs: this.crs,
        onChange: (geometry) => this.setGeometry(geometry),
        onChoose: (box) => void this.#chooseByBox(box),
      });
      if (!isCurrent) return editor.close();
      this.editor.value = editor;
      this.#showCurrent();
    };
    void this.#attempt(open);
    return () => {
      isCurrent = false;
      this.editor.peek()?.close();
      this.editor.value = undefined;
    };
  }

  /** The types of new geometries. */
  listTypes(): readonly GeometryType[] {
    const type = this.schema.value?.geometry?.type;
    if (type === undefined) return [];
    return (drawable.includes(type) ? [type] : drawable) as readonly GeometryType[];
  }

  draw(type: GeometryType): void {
    this.#add(null);
    this.editor.peek()?.startDrawing(type);
  }

  addAtCenter(type: GeometryType): void {
    const center = this.editor.peek()?.readCenter();
    if (center === undefined) return;
    this.#add(type === 'MultiPoint' ? { type, coordinates: [center.coordinates] } : center);
  }

  addEmpty(): void {
    this.#add(null);
  }

  async chooseById(id: string): Promise<void> {
    await this.#chooseBy({ id });
    this.editor.peek()?.fit();
  }

  show(key: string): void {
    this.#choices += 1;
    this.current.value = key;
    this.#showCurrent();
    this.editor.peek()?.fit();
  }

  setValue(name: string, value: unknown): void {
    this.#change((draft) => ({ ...draft, values: { ...draft.values, [name]: value } }));
  }

  setGeometry(geometry: GeometryValue | null): void {
    this.#change((draft) => ({ ...draft, geometry }));
  }

  /** Sets a geometry that the user has typed, and shows it. */
  replaceGeometry(geometry: GeometryValue | null): void {
    this.setGeometry(geometry);
    this.#showCurrent();
    this.editor.peek()?.fit();
  }

  /** A new feature disappears; a stored one is deleted when the edits are saved. */
  remove(): void {
    const draft = this.#getCurrent();
    if (draft === undefined) return;
    this.#choices += 1;
    if (draft.stored === undefined) this.#drop(draft.key);
    else this.#change((each) => ({ ...each, isDeleted: true }));
    this.#showCurrent();
  }

  restore(key: string): void {
    this.#choices += 1;
    this.current.value = key;
    this.#change((each) => ({ ...each, isDeleted: false }));
    this.#showCurrent();
  }

  discard(): void {
    this.#choices += 1;
    this.drafts.value = new Map();
    this.current.value = undefined;
    this.error.value = undefined;
    this.#showCurrent();
  }

  isChanged(draft: Draft): boolean {
    return toEdit(draft) !== undefined;
  }

  listEdits(): readonly Edit[] {
    return [...this.drafts.value.values()].flatMap((draft) => toEdit(draft) ?? []);
  }

  async save(): Promise<void> {
    const schema = this.schema.peek();
    if (schema === undefined) return;
    const edits = this.listEdits();
    const originals = new Map(
      [...this.drafts.peek().values()].flatMap(({ stored }) => (stored === undefined ? [] : [[stored.id, stored]])),
    );
    const context = { schema, crs: this.crs };
    await this.#attempt(async () => {
      const inserted = await sendEdits(edits, context);
      this.discard();
      this.#refresh();
      const { featureEdit: words, changes } = t();
      showToast(words.saved(edits.length), {
        label: changes.undo,
        run: () => void this.#undo(reverseEdits(edits, originals, inserted), context),
      });
    });
  }

  async #undo(edits: readonly Edit[], context: EditContext): Promise<void> {
    const { featureEdit: words } = t();
    try {
      await sendEdits(edits, context);
      showToast(words.undone);
    } catch (error) {
      showToast(`${words.undoFailed}: ${toProblem(error).message}`);
    }
    this.#refresh();
  }

  /** Everything that shows the data is read again. */
  #refresh(): void {
    this.#model.map.peek()?.refresh();
    const isData = (key: string) => key.startsWith('ogc/') && !key.endsWith('#rights');
    void queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => isData(String(key)) });
  }

  #add(geometry: GeometryValue | null): void {
    this.#count += 1;
    this.#choices += 1;
    const key = ` new ${this.#count}`;
    this.#put({ key, stored: undefined, values: {}, geometry, isDeleted: false });
    this.current.value = key;
    this.#showCurrent();
  }

  async #chooseByBox(box: readonly number[]): Promise<void> {
    const { geometry } = this.schema.peek() ?? {};
    if (geometry !== undefined) await this.#chooseBy({ box, filter: this.filter, geometry: geometry.name });
  }

  async #chooseBy(by: Parameters<typeof readStoredFeature>[2]): Promise<void> {
    this.#choices += 1;
    const choice = this.#choices;
    await this.#attempt(async () => {
      const stored = await readStoredFeature(this.#view.qualifiedName, this.crs, by);
      if (choice === this.#choices) this.#choose(stored);
    });
  }

  #choose(stored: StoredFeature | undefined): void {
    this.#dropUnchanged();
    if (stored !== undefined && !this.drafts.peek().has(stored.id)) {
      const { id, values, geometry } = stored;
      this.#put({ key: id, stored, values, geometry, isDeleted: false });
    }
    this.current.value = stored?.id;
    this.#showCurrent();
  }

  /** A feature that was only looked at is not listed. */
  #dropUnchanged(): void {
    for (const draft of this.drafts.peek().values()) {
      const isEmpty = draft.stored === undefined && draft.geometry === null && Object.keys(draft.values).length === 0;
      if (isEmpty || !this.isChanged(draft)) this.#drop(draft.key);
    }
  }

  #showCurrent(): void {
    const draft = this.#getCurrent();
    this.editor.peek()?.show(draft === undefined || draft.isDeleted ? undefined : (draft.geometry ?? undefined));
  }

  #getCurrent(): Draft | undefined {
    return this.drafts.peek().get(this.current.peek() ?? '');
  }

  #change(work: (draft: Draft) => Draft): void {
    const draft = this.#getCurrent();
    if (draft !== undefined) this.#put(work(draft));
  }

  #put(draft: Draft): void {
    this.drafts.value = new Map([...this.drafts.peek(), [draft.key, draft]]);
  }

  #drop(key: string): void {
    this.drafts.value = new Map([...this.drafts.peek()].filter(([each]) => each !== key));
    if (this.current.peek() === key) this.current.value = undefined;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.isBusy.value = true;
    this.error.value = undefined;
    try {
      await work();
    } catch (error) {
      this.error.value = error;
    }
    this.isBusy.value = false;
  }
}

/** What the transaction has to do; undefined for a feature without changes. */
function toEdit({ stored, values, geometry, isDeleted }: Draft): Edit | undefined {
  if (stored === undefined) return { kind: 'insert', values, geometry };
  if (isDeleted) return { kind: 'delete', id: stored.id };
  const changed = Object.entries(values).filter(
    ([name, value]) => formatForm(value) !== formatForm(stored.values[name]),
  );
  const isMoved = JSON.stringify(geometry) !== JSON.stringify(stored.geometry);
  if (changed.length === 0 && !isMoved) return undefined;
  return {
    kind: 'update',
    id: stored.id,
    values: Object.fromEntries(changed),
    geometry: isMoved ? geometry : undefined,
  };
}

/** Forms contain texts of numbers. */
function formatForm(value: unknown): string {
  return value === null || value === undefined ? '\0' : String(value);
}
