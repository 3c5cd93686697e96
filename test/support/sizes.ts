import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import type { Output, Resource } from '../../nodes/shared/operation';
import { collectionOf, singular } from '../../nodes/shared/operation';
import { simplified } from '../../nodes/shared/receive/output';
import { ManualClock, startService } from '../../sandbox/service';

/** What records of the sandbox's fleet measure, for the documentation. */

const START = Date.parse('2026-03-01T12:00:00Z');
const SITES = 250;

/** Single records that are read of each kind. */
const SINGLES = 10;

export interface Size {
	/** Such as `Tag: Get Many`. */
	operation: string;
	/** Characters of JSON, rounded mean of all records, as they come and as Simplified. */
	raw: number;
	simplified: number;
	/** The longest. */
	longest: number;
}

const lengthOf = (record: IDataObject) => JSON.stringify(record).length;

function sizeOf(operation: string, records: IDataObject[], { simplified: fields }: Output): Size {
	const shape = simplified(fields, {});
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
export async function recordSizes(resources: Resource[]): Promise<Size[]> {
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
	const read = async (path: string) => (await api.get<IDataObject>(path)).data;
	try {
		const { sites } = (await read('/sites?filters[backups:eq]=true&perPage=1')) as {
			sites: IDataObject[];
		};
		const sizes: Size[] = [];
		for (const { name, operations } of resources) {
			let ids: string[] = [];
			for (const { labels, route, answer } of operations) {
				if (!('output' in answer) || !answer.output || !/^GET /.test(route)) continue;
				if (answer.kind === 'wait') continue;
				const path = route.slice(4).replace('{siteId}', String(sites[0]!.id));
				const records: IDataObject[] = [];
				if (path.includes('{')) {
					for (const id of ids.slice(0, SINGLES)) {
						const body = await read(path.replace(/\{\w+\}/, encodeURIComponent(id)));
						records.push(body[singular(collectionOf(path.replace(/\}[^}]*$/, '')))] as IDataObject);
					}
				} else {
					const body = await read(path);
					const found =
						answer.kind === 'record' ? [body[answer.wrapper!]] : body[collectionOf(path)];
					records.push(...(found as IDataObject[]));
					ids = records.map(({ id }) => String(id));
				}
				sizes.push(sizeOf(`${name}: ${labels.name}`, records, answer.output));
			}
		}
		return sizes;
	} finally {
		await service.close();
	}
}
