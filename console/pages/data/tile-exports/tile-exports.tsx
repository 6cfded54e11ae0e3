/** The tile exports of a layer, with the way to start one: jobs of the server that write tiles to a file. */
import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button/button.tsx';
import { t } from '../../../words/words.ts';
import { ExportDialog } from './export-dialog.tsx';
import { ExportList } from './export-list.tsx';

interface TileExportsProps {
  readonly workspace: string;
  readonly layer: string;
  readonly isVector: boolean;
  /** West, south, east and north in degrees. */
  readonly extent: readonly number[] | undefined;
}

export function TileExports({ workspace, layer, isVector, extent }: TileExportsProps) {
  const { tileExports: words } = t();
  const isOpen = useSignal(false);
  const started = useSignal(0);
  return (
    <section>
      <h2>{words.title}</h2>
      <p class="muted">{words.lead}</p>
      <div>
        <Button
          icon="archive"
          onClick={() => {
            isOpen.value = true;
          }}
        >
          {words.open}
        </Button>
      </div>
      <ExportList workspace={workspace} layer={`${workspace}:${layer}`} started={started.value} />
      {isOpen.value ? (
        <ExportDialog
          {...{ workspace, layer, isVector, extent }}
          onClose={() => {
            isOpen.value = false;
          }}
          onStarted={() => {
            started.value += 1;
          }}
        />
      ) : null}
    </section>
  );
}
