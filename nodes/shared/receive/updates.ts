import type { IDataObject } from 'n8n-workflow';
import { isRecord, recordsIn } from '../lib/isRecord';

/** What a run updates on a site: the core, plugins and themes. Part A, 2.8. */
export function componentsOf({ wp }: IDataObject): IDataObject[] {
	const { core, plugins, themes } = isRecord(wp) ? wp : {};
	return [
		...(isRecord(core) ? [{ type: 'core', ...core }] : []),
		...recordsIn(plugins).map((plugin) => ({ type: 'plugin', ...plugin })),
		...recordsIn(themes).map((theme) => ({ type: 'theme', ...theme })),
	];
}
