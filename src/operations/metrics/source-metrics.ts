/** How busy the connections to the data of stores are. */
import { type Collector, gauge } from './exposition.ts';

interface SourceCounts {
  readonly sources: number;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export function sourceMetrics(counts: () => SourceCounts): Collector {
  return () => {
    const { sources, open, idle, waiting } = counts();
    return [
      gauge('graticule_store_sources_open', 'Stores whose data is open.', sources),
      gauge('graticule_store_connections_open', 'Connections to the databases of stores.', open),
      gauge('graticule_store_connections_idle', 'Connections to the databases of stores that nobody uses.', idle),
      gauge('graticule_store_connections_waiting', 'Requests that wait for a connection to a database.', waiting),
    ];
  };
}
