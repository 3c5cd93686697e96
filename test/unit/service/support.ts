import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import {
	ManualClock,
	startService,
	type Service,
	type ServiceOptions,
} from '../../../sandbox/service';
import { checkResponse } from './conformance';

export const startTime = Date.parse('2025-03-10T12:00:00.000Z');
export const second = 1000;

/** A running service whose clock stands still, with clients that do not throw on error statuses. */
export interface TestService extends Service {
	clock: ManualClock;
	api: AxiosInstance;
	admin: AxiosInstance;
}

const running: Service[] = [];

/** Starts a service of a small fleet; it is stopped after the test. */
export async function start({
	at = startTime,
	...options
}: Omit<ServiceOptions, 'clock'> & { at?: number } = {}): Promise<TestService> {
	const clock = new ManualClock(at);
	const service = await startService({ sites: 12, ...options, clock });
	running.push(service);
	const validateStatus = () => true;
	const api = axios.create({
		baseURL: service.baseUrl,
		headers: { Authorization: `Bearer ${service.token}` },
		validateStatus,
	});
	// Whatever a test is about, every answer that it gets must be one that the API describes.
	api.interceptors.response.use(async (response) => {
		const { method = 'get', url = '' } = response.config;
		const path = url.split('?')[0]!;
		await checkResponse({ method: method.toUpperCase(), path }, response);
		return response;
	});
	return {
		...service,
		close: async () => {
			running.splice(running.indexOf(service), 1);
			await service.close();
		},
		clock,
		api,
		admin: axios.create({
			baseURL: new URL('/_sandbox', service.baseUrl).href,
			validateStatus,
		}),
	};
}

afterEach(async () => {
	await Promise.all(running.splice(0).map((service) => service.close()));
});

/** The rows of a list response, for instance of `sites`. */
export async function list(
	{ api }: TestService,
	path: string,
	params: Record<string, unknown> = {},
): Promise<any[]> {
	const response = await api.get(path, { params });
	expect(response.status).toBe(200);
	return response.data[path.split('/').pop()!.replaceAll('-', '_')];
}

/** The ids of the rows of a list response. */
export async function listIds(
	service: TestService,
	path: string,
	params: Record<string, unknown> = {},
): Promise<string[]> {
	return (await list(service, path, params)).map((row) => row.id);
}

/** Asserts an error response in the documented form and returns its details' parameters. */
export function expectError(response: AxiosResponse, status: number): string[] {
	expect(response.status).toBe(status);
	expect(response.data.error).toEqual(
		expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
	);
	const { details = [] } = response.data.error;
	for (const detail of details) {
		expect(detail).toEqual({
			code: expect.any(String),
			param: expect.any(String),
			message: expect.any(String),
		});
	}
	return details.map((detail: { param: string }) => detail.param);
}
