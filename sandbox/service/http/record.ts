import type { World } from '../engine/world';
import { adminPath, pagePath, type RecordedRequest, type ServerOptions } from './options';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Keeps the requests as they arrive, and completes them when they are answered. */
export class RequestRecord {
	/** Grows with every request and every answer, so that others see whether there was one. */
	revision = 0;
	private readonly world: World;
	private readonly requests: RecordedRequest[];
	private readonly open = new WeakMap<FastifyRequest, RecordedRequest>();

	constructor({ world, requests }: ServerOptions) {
		this.world = world;
		this.requests = requests;
	}

	/** Keeps what arrives at the server from now on, but for the controls and the page. */
	listen(app: FastifyInstance): void {
		app.addHook('onRequest', async (request) => this.begin(request));
		app.addHook('preValidation', async (request) => {
			const record = this.open.get(request);
			if (record) record.body = structuredClone(request.body);
		});
	}

	/** To be called with the answer as it goes out. */
	readonly complete = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		const record = this.open.get(request);
		if (!record) return;
		record.status = reply.statusCode;
		this.revision += 1;
	};

	private begin(request: FastifyRequest): void {
		const { clock, settings } = this.world;
		const [path = '', ...query] = (request.raw.url ?? '').split('?');
		if (path.startsWith(adminPath) || path === pagePath) return;
		const record: RecordedRequest = {
			received_at: new Date(clock.machineNow?.() ?? clock.now()).toISOString(),
			method: request.method,
			path,
			query: query.join('?'),
			headers: request.headers as Record<string, string>,
			body: undefined,
			status: 0,
		};
		this.open.set(request, record);
		this.requests.push(record);
		if (this.requests.length > settings.recordedRequests) this.requests.shift();
		this.revision += 1;
	}
}
