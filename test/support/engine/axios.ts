import type { AxiosStatic } from 'axios';

/** The axios that n8n's own request helper sends with: a copy of its own, deep inside. */
export const axios = ((core: string) => {
	const network = require.resolve('@n8n/backend-network', { paths: [core] });
	return require(require.resolve('axios', { paths: [network] })) as AxiosStatic;
})(require.resolve('n8n-core'));
