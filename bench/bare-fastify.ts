/** The baseline: a Fastify route that returns a constant of the same size as the measured reply, or its exact bytes. */
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

const [port = '0', sizeBytes = '0', file] = process.argv.slice(2);
const filler = () => JSON.stringify({ filler: 'x'.repeat(Math.max(0, Number(sizeBytes) - '{"filler":""}'.length)) });
const body = file === undefined ? filler() : readFileSync(file);

const app = Fastify();
app.get('/constant', (_request, reply) => reply.header('content-type', 'application/json').send(body));
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.once('SIGTERM', () => app.close());
