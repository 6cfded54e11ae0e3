/** The attributes of the features at a place of the map. Values are text, whatever they contain. */
import { Button } from '../../../parts/button/button.tsx';
import { ProblemNotice } from '../../../parts/notice/notice.tsx';
import { t } from '../../../words/words.ts';
import type { PlaceState } from './map-tab.tsx';

interface PlacePanelProps {
  readonly place: PlaceState;
  readonly onClose: () => void;
}

export function PlacePanel({ place, onClose }: PlacePanelProps) {
  const { map: words } = t();
  return (
    <section class="place" aria-label={words.feature}>
      <header class="place-head">
        <h2 aria-live="polite">
          {place.kind === 'read' && place.features.length > 0
            ? words.featuresHere(place.features.length)
            : words.feature}
        </h2>
        <Button kind="quiet" icon="close" label={t().app.close} onClick={onClose} />
      </header>
      {place.kind === 'reading' ? <p class="muted">{t().app.loading}</p> : null}
      {place.kind === 'failed' ? <ProblemNotice error={place.error} /> : null}
      {place.kind === 'read' && place.features.length === 0 ? <p class="muted">{words.nothingHere}</p> : null}
      {place.kind === 'read'
        ? place.features.map((feature) => (
            <article key={feature.id} class="place-feature">
              {feature.id === '' ? null : <h3>{feature.id}</h3>}
              <dl class="facts">
                {Object.entries(feature.properties).map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{formatValue(value)}</dd>
                  </div>
                ))}
              </dl>
            </article>
          ))
        : null}
    </section>
  );
}

export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
