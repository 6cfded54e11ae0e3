/** The document for the metrics of the machine. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { OutputNode } from '../../http/serialization/output-tree.ts';
import type { Metric } from '../../operations/system/metrics.ts';
import { buildSystemStatusPage, type SystemStatusView } from './system-status-page.ts';

export const systemStatusDocument: DocumentWriter<SystemStatusView> = {
  root: 'metrics',
  schema: {
    type: 'object',
    properties: {
      metrics: {
        type: 'object',
        properties: {
          metric: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                available: { type: 'boolean' },
                description: { type: 'string', examples: ['Number of CPUs'] },
                name: { type: 'string', examples: ['CPU_PHYSICAL_COUNT'] },
                unit: { type: 'string' },
                category: { type: 'string' },
                identifier: { type: 'string' },
                priority: { type: 'integer' },
                value: {
                  description: 'A number; text for the operating system and for an unavailable metric.',
                  examples: [4],
                },
              },
              required: ['available', 'description', 'name', 'unit', 'category', 'identifier', 'priority', 'value'],
            },
          },
        },
      },
    },
    required: ['metrics'],
  },
  write: (view) => ({
    root: 'metrics',
    title: 'System status',
    node: { kind: 'list', itemName: 'metric', items: view.metrics.map(buildMetricNode) },
    page: {
      writeContent: (context) => buildSystemStatusPage(view, context),
      ...(view.refreshSeconds > 0 ? { refreshSeconds: view.refreshSeconds } : {}),
    },
  }),
};

function buildMetricNode({
  available,
  description,
  name,
  unit,
  category,
  identifier,
  priority,
  value,
}: Metric): OutputNode {
  const members = { available, description, name, unit, category, identifier, priority, value };
  return {
    kind: 'object',
    members: Object.entries(members).map(([key, each]) => ({ name: key, node: { kind: 'value', value: each } })),
  };
}
