import axios from 'axios';
import type { Service } from '../../sandbox/service';
import type { Faults } from '../../sandbox/service/http/faults';
import { adminPath } from '../../sandbox/service/http/options';

/** What a service does wrong from now on, and nothing else; nothing where nothing is given. */
export async function setFaults({ baseUrl }: Service, faults?: Faults): Promise<void> {
	const url = new URL(`${adminPath}/faults`, baseUrl).href;
	await axios.delete(url, { proxy: false });
	if (faults) await axios.post(url, faults, { proxy: false });
}
