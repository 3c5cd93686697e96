const path=require('path'),fs=require('fs'),cp=require('child_process');
const files=cp.execSync("find dist/nodes -name '*.node.js'").toString().trim().split('\n').sort();
const out={};
for(const f of files){const m=require(path.resolve(f));const n=path.basename(f,'.node.js');const o=new m[n]();out[n]=JSON.parse(JSON.stringify(o.description));}
process.stdout.write(JSON.stringify(out,null,1));
