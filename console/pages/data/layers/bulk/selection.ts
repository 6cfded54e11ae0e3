/** The selected layers of a list. Rows between two clicks are read from the server if the list has not loaded them. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { showToast } from '../../../../parts/toast/toast.tsx';
import { callRest, withQuery } from '../../../../rest/client.ts';
import { toProblem } from '../../../../rest/problems.ts';
import { administers } from '../../../../rest/session.ts';
import type { LayerList } from '../../../../rest/types.ts';
import { t } from '../../../../words/words.ts';
import { type LayerRow, toRow } from '../layer-row.ts';
import { MAX_SELECTED } from './operations.ts';

export interface LayerListing {
  readonly path: string;
  readonly q: string;
  readonly workspace: string | undefined;
}

export interface LayerSelection {
  readonly rows: readonly LayerRow[];
  readonly has: (row: LayerRow) => boolean;
  /** With `isRange`, all rows from the last one that was selected get the same state. */
  readonly toggle: (index: number, row: LayerRow, isRange: boolean) => void;
  readonly selectAll: () => Promise<void>;
  readonly clear: () => void;
}

interface SelectionState {
  readonly rows: ReadonlyMap<string, LayerRow>;
  /** The row from which a range begins. */
  readonly anchor: number | undefined;
}

const none: SelectionState = { rows: new Map(), anchor: undefined };

export function canSelect({ workspace }: LayerRow): boolean {
  return administers(workspace);
}

/** Another list or filter begins without a selection: invisible rows must not be changed. */
export function useLayerSelection(listing: LayerListing): LayerSelection {
  const state: Signal<SelectionState> = useSignal(none);
  const { path, q } = listing;
  useEffect(() => {
    state.value = none;
  }, [path, q]);
  const getKey = ({ workspace, name }: LayerRow) => `${workspace}:${name}`;
  const set = (rows: readonly LayerRow[], isSelected: boolean, anchor: number | undefined) => {
    const next = new Map(state.peek().rows);
    for (const row of rows.filter(canSelect)) {
      if (isSelected) next.set(getKey(row), row);
      else next.delete(getKey(row));
    }
    const isTooLong = next.size > MAX_SELECTED;
    if (isTooLong) showToast(t().bulk.tooMany(MAX_SELECTED));
    // The box that was clicked is drawn again.
    state.value = isTooLong ? { ...state.peek() } : { rows: next, anchor };
  };
  const setRange = async (first: number, last: number, isSelected: boolean) => {
    try {
      if (last - first >= MAX_SELECTED) return showToast(t().bulk.tooMany(MAX_SELECTED));
      set(await readRows(listing, first, last - first + 1), isSelected, last);
    } catch (error) {
      showToast(toProblem(error).document.detail);
    }
  };
  return {
    rows: [...state.value.rows.values()],
    has: (row) => state.value.rows.has(getKey(row)),
    toggle: (index, row, isRange) => {
      const { rows, anchor } = state.peek();
      const isSelected = !rows.has(getKey(row));
      if (isRange && anchor !== undefined && anchor !== index) {
        void setRange(Math.min(anchor, index), Math.max(anchor, index), isSelected);
      } else {
        set([row], isSelected, index);
      }
    },
    selectAll: () => setRange(0, MAX_SELECTED - 1, true),
    clear: () => {
      state.value = none;
    },
  };
}

async function readRows({ path, q, workspace }: LayerListing, offset: number, limit: number) {
  const query = { details: true, q: q === '' ? undefined : q, offset, limit };
  const { layers } = (await callRest<LayerList>(withQuery(path, query))).body;
  return layers === '' ? [] : layers.layer.map((entry) => toRow(entry, workspace));
}
