import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import type { Output, Resource } from '../../nodes/shared/operation/index';
import { simplified } from '../../nodes/shared/receive/output';
import { ManualClock, startService } from '../../sandbox/service';

/** What records of the sandbox's fleet measure, for the documentation. */

const START = Date.parse('2026-03-01T12:00:00Z');
const SITES = 250;

/** Single records that are read of each kind. */
const SINGLES = 10;

/** Characters of JSON. */
const lengthOf = (record: IDataObject) => JSON.stringify(record).length;

function sizeOf(operation: string, records: IDataObject[], { simplified: fields }: Output) {
	const shape = simplified(fields, {});
	/** Rounded. */
	const mean = (lengths: number[]) =>
		Math.round(lengths.reduce((sum, length) => sum + length, 0) / lengths.length);
	const raw = records.map(lengthOf);
	return {
		operation,
		raw: mean(raw),
		simplified: mean(records.map((record) => lengthOf(shape(record)))),
		longest: Math.max(...raw),
	};
}

/** The sizes of the records of all operations that read and have Simplified, at 250 sites. */
export async function recordSizes(resources: Resource[]) {
	const service = await startService({
		sites: SITES,
		clock: new ManualClock(START),
		rateLimit: { limit: 100_000 },
	});
	const api = axios.create({
		baseURL: service.baseUrl,
		headers: { Authorization: `Bearer ${service.token}` },
		proxy: false,
	});
	/** A list, or a single record, from below its wrapper. */
	const read = async (path: string, wrapper: string) =>
		[(await api.get<Record<string, IDataObject>>(path)).data[wrapper]!].flat();
	try {
		const backedUp = await read('/sites?filters[backups:eq]=true&perPage=100', 'sites');
		const site = backedUp.find((each) => (each.activity_logs as IDataObject).enabled);
		const sizes: Array<ReturnType<typeof sizeOf>> = [];
		for (const { name, operations } of resources) {
			let ids: string[] = [];
			for (const { labels, route, answer, composed } of operations) {
				if (composed || !('output' in answer) || !answer.output || !/^GET /.test(route)) continue;
				if (answer.kind === 'wait') continue;
				const { wrapper = '', output } = answer;
				const path = route.slice(4).replace('{siteId}', String(site!.id));
				const paths = path.includes('{')
					? ids.slice(0, SINGLES).map((id) => path.replace(/\{\w+\}/, encodeURIComponent(id)))
					: [path];
				const records: IDataObject[] = [];
				for (const each of paths) records.push(...(await read(each, wrapper)));
				ids = records.map(({ id }) => String(id));
				sizes.push(sizeOf(`${name}: ${labels.name}`, records, output));
			}
		}
		return sizes;
	} finally {
		await service.close();
	}
}
