/** The client of tables, for `context.db`. `npm run build:client` makes it of client/src/in-function.ts. */
function S(e){let n=typeof e=="object"?e.map(Z).join(","):String(e);if(n===""||n==="."||n==="..")throw new TypeError(
`"${n}" is not the key of a record.`);return encodeURIComponent(n)}var T=e=>e.flat().map(Z).join(","),
Z=e=>{let n=String(e);return/[",]/.test(n)?`"${n.replaceAll('"','""')}"`:n};async function ne(e,n,t,s={}){let o=[],i=new Map,d=(r,a)=>{let c=`o${o.length}`,l=ke(c);return i.set(
l,o.length),o.push(a?{...r,as:c}:r),l},y=new Proxy({},{get:(r,a)=>Te(String(a),d)}),u=t(y),p=new Set(
JSON.stringify(o).match(/(?<="\$":")o\d+/g)),m=await e.json({method:"POST",path:n,body:o.map(({as:r,
...a})=>r!==void 0&&p.has(r)?{...a,as:r}:a),query:{dry_run:s.dryRun||void 0},key:s.idempotencyKey??!0,
signal:s.signal}),f=r=>m.data[i.get(r)??-1]?.data??null;if(i.has(u))return f(u);if(!(typeof u!="obje\
ct"||u===null))return Array.isArray(u)?u.map(f):Object.fromEntries(Object.entries(u).map(([r,a])=>[r,
f(a)]))}var Te=(e,n)=>({create:t=>n({op:"create",table:e,data:t},!0),update:(t,s,o={})=>n({op:"updat\
e",table:e,id:ee(t),data:s,...M(o)},!0),upsert:(t,{uniqueFields:s,...o})=>n({op:"upsert",table:e,unique_fields:s,
data:t,...M(o)},!0),delete:(t,s={})=>n({op:"delete",table:e,id:ee(t),...M(s)},!1),createEdge:t=>n({op:"\
create_edge",table:e,data:t},!1),deleteEdge:t=>n({op:"delete_edge",table:e,id:t},!1)}),M=e=>({...e.ifMatch===
void 0?{}:{if_match:e.ifMatch},...e.includeDeleted?{include_deleted:!0}:{},...e.hard?{hard_delete:!0}:
{}});function ee(e){return typeof e!="object"?e:"$"in e?{$:e.$}:decodeURIComponent(S(e))}var ke=e=>new Proxy(
{},{get:(n,t)=>typeof t=="string"?{$:`${e}.${t}`}:void 0});var A=e=>({...E(e),...L(e),page:e.page,page_size:e.pageSize,limit:e.limit,offset:e.offset,after:e.after,
before:e.before,_total:e.total,_rank:k(e.rank),_highlight:_(e.highlight)}),L=e=>({filters:e.where&&b(
e.where),search:e.search,_language:e.language,_fuzzy:k(e.fuzzy),ordering:_(e.ordering),_distinct:_(e.
distinct),only_deleted:k(e.onlyDeleted),include_deleted:k(e.includeDeleted),as_of:te(e.asOf)}),E=e=>({
fields:_(e.fields),populate:Ae(e.populate),_annotate:e.annotate&&W(e.annotate),include_deleted:k(e.includeDeleted),
as_of:te(e.asOf)}),b=e=>Object.keys(e).length===0?void 0:JSON.stringify(e),W=e=>Object.entries(e).map(
([n,t])=>`${typeof t=="string"?t:t.expression} as ${n}`).join(",");var k=e=>e===!0?!0:void 0,_=e=>e?.join(","),te=e=>e instanceof Date?e.toISOString():e;function Ae(e){
if(e!==void 0)return Array.isArray(e)?e.join(","):JSON.stringify(re(e))}var re=e=>Object.fromEntries(
Object.entries(e).map(([n,t])=>[n,Re(t)])),Re=({where:e,ordering:n,fields:t,populate:s,...o})=>({...o,
...e?{filters:e}:{},...n?{ordering:n.join(",")}:{},...t?{fields:t.join(",")}:{},...s?{populate:Array.
isArray(s)?s.join(","):re(s)}:{}});function se(e,n){let t=(s,o,i,d)=>e.json({method:s,path:o,query:{dry_run:d.dryRun||void 0},body:i,key:d.
idempotencyKey??!0,signal:d.signal});return{async list({from:s,to:o,types:i,page:d,pageSize:y,total:u,
signal:p}={}){let f={...{from_id:s&&T(s),to_id:o&&T(o)},types:i?.join(","),page:d,page_size:y,_total:u},
r=await e.json({path:n,query:f,signal:p});return{data:r.results,total:r.total}},async create(s,o={}){
return(await t("POST",n,s,o)).results},async replace(s,o,i={}){let d=`${n}${encodeURIComponent(s)}/`;
return(await t("PATCH",d,o,i)).data},async delete(s,o={}){return(await t("DELETE",n,{edge_ids:s},o)).
deleted}}}function oe(e,n,t){let s=(o,i,d)=>e.json({path:o===void 0?n:t(o),query:{...d,depth:i.depth,
relationship_type:i.types?.join(","),filters:i.where&&b(i.where),fields:i.fields?.join(","),ordering:i.
ordering?.join(",")},signal:i.signal});return{async walk(o,i,d={}){let{data:y,...u}=await s(o,d,{include:i});
return{record:y,related:u}},async tree(o={}){let{from:i,include:d,...y}=o;return[(await s(i,y,{format:"\
tree",...d?{include:d}:{}})).data].flat()},async graph(o={}){let{from:i,include:d,...y}=o,u={format:"\
graph",...d?{include:d}:{}};return(await s(i,y,u)).data}}}async function*ae(e){let n="";for await(let t of de(e)){let s=(n+t).split(`
`);n=s.pop()??"";for(let o of s)o.trim()!==""&&(yield JSON.parse(o))}n.trim()!==""&&(yield JSON.parse(
n))}var R=/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y;async function*ie(e){let n="",t=[];for await(let s of de(
e)){n+=s,R.lastIndex=0;let o=0;for(let i=R.exec(n);i;i=R.exec(n)){let[,d,y,u]=i;t.push(d===void 0?y||
null:d.replaceAll('""','"')),o=R.lastIndex,u!==","&&(yield t,t=[],R.lastIndex=o)}n=n.slice(o)}if(n!==
"")throw new Error("The CSV ends within a row.")}async function*de({body:e}){if(!e)return;let n=e.getReader(),
t=new TextDecoder;try{for(;;){let{done:s,value:o}=await n.read();if(yield t.decode(o,{stream:!s}),s)
return}}finally{await n.cancel().catch(()=>{})}}async function $({transport:e,path:n},t){let{signal:s}=t,{data:o,total:i,page:d,page_size:y,meta:u}=await e.
json({path:n,query:A(t),signal:s}),{has_more:p,next:m=null,previous:f=null}=u;return{data:o,total:i,
page:d,pageSize:y,hasMore:p,next:m,previous:f}}async function*D(e,n){let{after:t=""}=n;for(;;){let s=await $(
e,{...n,after:t});if((s.data.length>0||t==="")&&(yield s),s.next===null)return;t=s.next}}var je=500;
async function*ce(e,n){let t={pageSize:je,total:"none",...n};for await(let{data:s}of D(e,t))yield*s}function ue(e,n){let t=`${n}data/`,s={transport:e,path:t},o=r=>`${t}${S(r)}/`,i=(r,a,c,l,g={})=>e.json(
{method:r,path:a,query:{...g,dry_run:l.dryRun||void 0},body:c,key:l.idempotencyKey??!0,signal:l.signal}),
d=(r,a,c,l,g)=>e.json({method:r,path:o(a),query:{...g,include_deleted:l.includeDeleted||void 0,dry_run:l.
dryRun||void 0},body:c,key:l.idempotencyKey??!0,signal:l.signal,headers:l.ifMatch===void 0?{}:{"if-m\
atch":l.ifMatch}}),y=async r=>(await r).data;async function u(r,a,c,l,g){let h=l.atomic===!1?{atomic:!1}:
{},O=await i(r,a,c,l,{...g,...h});return{data:O.data??[],ignored:O.ignored??[],failed:O.failed??[]}}
async function p(r,a={}){return y(e.json({path:o(r),query:E(a),signal:a.signal}))}let m=(r,a)=>e.send(
{path:t,query:A(a),headers:{accept:r},signal:a.signal}),f=({values:r,by:a,having:c,ordering:l,...g})=>({
...A({...g,ordering:l}),_aggregate:W(r),_group_by:a?.join(","),_having:c?.join(",")});return{list:(r={})=>$(
s,r),pages:(r={})=>D(s,r),each:(r={})=>ce(s,r),search:(r,a={})=>$(s,{...a,search:r}),get:p,async getWithETag(r,a={}){
let c={path:o(r),query:E(a),signal:a.signal},l=await e.send(c),{data:g}=await l.json();return{data:g,
etag:l.headers.get("etag")}},async find(r,a={}){try{return await p(r,a)}catch(c){if(c instanceof Error&&
"status"in c&&c.status===404)return;throw c}},async count(r={}){let a={...L(r),_count:!0};return(await e.
json({path:t,query:a,signal:r.signal})).total},async aggregate(r){let a=f(r),c={path:t,query:a,signal:r.
signal};return(await e.json(c)).aggregates},groups:r=>Pe(e,t,f(r),r.signal),async*stream(r={}){yield*ae(
await m("application/x-ndjson",r))},async*csv(r={}){yield*ie(await m("text/csv",r))},create:(r,a={})=>y(
i("POST",t,r,a)),createMany:(r,a={})=>u("POST",t,r,a,{on_conflict:a.onConflict}),update:(r,a,c={})=>y(
d("PATCH",r,a,c)),updateMany:(r,a={})=>u("PATCH",t,r,a,{}),async updateWhere(r,a,c={}){let l={filter:b(
r)??"{}",expect:c.expect,return:"minimal"};return(await i("PATCH",t,a,c,l)).updated_count},replace:(r,a,c={})=>y(
d("PUT",r,a,c)),async upsert(r,{uniqueFields:a,...c}){let l={unique_fields:a.join(",")},g=await i("P\
OST",`${t}upsert/`,r,c,l);return{data:g.data,created:g.created}},upsertMany:(r,{uniqueFields:a,...c})=>u(
"POST",`${t}upsert/`,r,c,{unique_fields:a.join(",")}),async delete(r,a={}){await d("DELETE",r,void 0,
a,{hard_delete:a.hard||void 0})},async deleteMany(r,a={}){let c={ids:T(r),hard_delete:a.hard||void 0};
return(await i("DELETE",t,void 0,a,c)).deleted},async deleteWhere(r,a={}){let l={...{filter:b(r)??"{\
}",expect:a.expect},hard_delete:a.hard||void 0};return(await i("DELETE",t,void 0,a,l)).deleted},history:(r,{
page:a,pageSize:c,ordering:l,operation:g,signal:h}={})=>e.json({path:`${o(r)}history/`,query:{page:a,
page_size:c,ordering:l,operation:g},signal:h}),restore:(r,a,c={})=>y(i("POST",`${o(r)}restore/${encodeURIComponent(
a)}/`,void 0,c)),edges:se(e,`${n}edges/`),...oe(e,t,o)}}async function Pe(e,n,t,s){let o=await e.json(
{path:n,query:t,signal:s});return{data:o.data,total:o.total,hasMore:o.meta.has_more}}function le(e,n,t,s=()=>({})){let o=`/api/apps/${encodeURIComponent(n)}/`,i=new Map,d=u=>{let p=i.get(
u)??ue(Se(e,m=>t(n,u,m)),`${o}datatables/${encodeURIComponent(u)}/`);return i.set(u,p),p},y=new Map(
[["$batch",(u,p)=>ne(e,`${o}batch/`,u,p)],["$table",d],...Object.entries(s(o)),["then",void 0]]);return new Proxy(
{},{get:(u,p)=>typeof p!="string"||y.has(p)?y.get(String(p)):d(p)})}function Se(e,n){let t=async s=>{
let o=await e.send(s);return n(o),o};return{session:e.session,send:t,async json(s){let o=await(await t(
s)).text();return o===""?void 0:JSON.parse(o)}}}var w=class extends Error{name="TesseraError";status;body;messages;requestId;retryAfterSeconds;constructor({
method:n,path:t,status:s,body:o,headers:i}){let d=$e(o),y=Object.entries(d).flatMap(([u,p])=>p.map(m=>u?
`${u}: ${m}`:m));super(`${n} ${t} answered ${s}${y.length>0?`: ${y.join(" ")}`:""}`),this.status=s,this.
body=o,this.messages=d,this.requestId=i.get("x-request-id"),this.retryAfterSeconds=G(i.get("retry-af\
ter"))}},Q=class extends w{name="InvalidRequestError"},j=class extends w{name="UnauthenticatedError"},
B=class extends w{name="ForbiddenError"},C=class extends w{name="NotFoundError"},H=class extends w{name="\
ConflictError"},N=class extends w{name="StaleError"},K=class extends w{name="UnprocessableError"},z=class extends w{name="\
TooManyRequestsError"},U=class extends w{name="UnavailableError"},I=class extends Error{name="Connec\
tionError";constructor(n,t,s){super(`${n} ${t} got no answer: ${s instanceof Error?s.message:s}`,{cause:s})}},
_e=new Map([[400,Q],[401,j],[403,B],[404,C],[409,H],[410,C],[412,N],[413,K],[422,K],[429,z],[503,U]]);
async function v(e,n,t){let{status:s,headers:o}=t,i=await t.text().catch(()=>"");return new(_e.get(s)??
w)({method:e,path:n,status:s,body:Ee(i),headers:o})}function Ee(e){try{return JSON.parse(e)}catch{return e}}
function $e(e){if(typeof e!="object"||e===null)return{};let{details:n,detail:t,error:s,message:o,hint:i,
field:d,...y}=e;if(typeof n=="object"&&n!==null)return V(n);if(typeof t=="object"&&t!==null)return V(
t);let u=[s,o,t,i].filter(p=>typeof p=="string");return u.length>0?{[typeof d=="string"?d:""]:u}:V({
...y,error:s,message:o,detail:t,hint:i,field:d})}var V=e=>Object.fromEntries(Object.entries(e).filter(
([,n])=>Array.isArray(n)||typeof n=="string").map(([n,t])=>[n,[t].flat().map(String)]));function G(e,n=Date.
now()){if(e===null)return;if(/^\d+$/.test(e))return Number(e);let t=Date.parse(e);return Number.isNaN(
t)?void 0:Math.max(0,(t-n)/1e3)}var ye=429,Ce=503;function pe(e,n,t,{attempts:s=4,delayMaxMs:o=3e4}={}){if(e>=s)return;let i=n?.status===
ye||n?.status===Ce;if(n!==void 0&&!i||n?.status!==ye&&!t)return;let d=G(n?.headers.get("retry-after")??
null),y=Math.min(o,200*2**e)*(.5+Math.random()/2),u=d===void 0?y:d*1e3+Math.random()*100;return u<=o?
u:void 0}function fe(e,n){return new Promise((t,s)=>{n?.throwIfAborted();let o=()=>{clearTimeout(i),
s(n?.reason)},i=setTimeout(()=>{n?.removeEventListener("abort",o),t()},e);n?.addEventListener("abort",
o,{once:!0})})}function ge(){let e=null;return{read:()=>e,write(n){e=n}}}var F="/api/auth/jwt/token/",Ke=1e4;function he(e,n){if(e&&"apiKey"in e)return me(async()=>`Api-Key ${e.
apiKey}`);if(e&&"token"in e){let{token:t}=e;return me(async()=>`Bearer ${typeof t=="string"?t:await t()}`)}
return Ie(e,n)}function me(e){let n=()=>Promise.reject(new Error("This client has fixed credentials."));
return{authorization:e,async renew(t){let s=await e();return s===t?void 0:s},signIn:n,keep:n,signOut:n}}
function Ie(e={},n){let{username:t,password:s,store:o=ge()}=e,i,d=r=>r===null?void 0:`Bearer ${r.access}`;
async function y(r,a){let c=await n(r,a);if(!c.ok)throw await v("POST",r,c);let l=we(await c.json());
return await o.write(l),l}let u=(r,a)=>y(F,{username:r,password:a});async function p(){return t!==void 0&&
s!==void 0?u(t,s):null}async function m(r){let a=await o.read();if(a===null)return p();if(r!==void 0&&
a.access!==r&&a.expiresAt>Date.now())return a;try{return await y(`${F}refresh/`,{refresh:a.refresh})}catch(c){
if(!(c instanceof j))throw c;return await o.write(null),p()}}function f(r){return i??=ve(o,()=>m(r)).
finally(()=>{i=void 0}),i}return{async authorization(){if(i)return d(await i);let r=await o.read(),a=r!==
null&&r.expiresAt-Ke>Date.now();return d(a?r:await f(r?.access))},async renew(r){let a=await o.read();
if(r!==void 0&&d(a)!==r&&a!==null)return d(a);let c=d(await f(a?.access));return c===r?void 0:c},async signIn(r,a){
await u(r,a)},async keep(r){await o.write(we(r))},async signOut(){let r=await o.read();await o.write(
null),r&&await n(`${F}blacklist/`,{refresh:r.refresh})}}}var we=({access:e,refresh:n,expires_in:t})=>({
access:e,refresh:n,expiresAt:Date.now()+t*1e3});function ve(e,n){if(e.alone)return e.alone(n);let{shared:t}=e,
{navigator:s}=globalThis;return t!==void 0&&s?.locks?s.locks.request(`tessera ${t}`,n):n()}function be(e){let{url:n,site:t,retry:s,timeoutMs:o}=e,i=`${n.replace(/\/+$/,"")}${t===void 0?"":`/s\
ites/${encodeURIComponent(t)}`}`,d=e.fetch??(f=>globalThis.fetch(f));async function y(f,r){let{method:a="\
GET",path:c,query:l,body:g,signal:h}=f,O=`${i}${c}${Le(l)}`,xe=a==="GET"||r.has("idempotency-key");for(let J=1;;J++){
h?.throwIfAborted();let x,X,q=We(o,h);try{let P={method:a,headers:r,body:g===void 0?null:JSON.stringify(
g)};x=await d(new Request(O,{...P,...q.signal?{signal:q.signal}:{}}))}catch(P){if(h?.aborted)throw P;
X=P}finally{q.end()}let Y=pe(J,x,xe,s);if(Y===void 0){if(x)return x;throw new I(a,c,X)}await x?.body?.
cancel(),await fe(Y,h)}}let u=(f,r)=>y({method:"POST",path:f,body:r},new Headers({"content-type":"ap\
plication/json"})),p=he(e.auth,u);async function m(f){let r=qe(f),a=g=>g&&r.set("authorization",g),c=await p.
authorization();a(c);let l=await y(f,r);if(l.status===401){let g=await p.renew(c);g!==void 0&&(await l.
body?.cancel(),a(g),l=await y(f,r))}if(l.ok)return l;throw await v(f.method??"GET",f.path,l)}return{
session:p,send:m,async json(f){let a=await(await m(f)).text();return a===""?void 0:JSON.parse(a)}}}function qe({
body:e,headers:n,key:t}){let s=new Headers({accept:"application/json",...n});return e!==void 0&&s.set(
"content-type","application/json"),t&&s.set("idempotency-key",t===!0?Me():t),s}var Me=()=>[...crypto.
getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,"0")).join("");function Le(e={}){
let n=Object.entries(e).flatMap(([t,s])=>s===void 0?[]:[[t,String(s)]]);return n.length===0?"":`?${new URLSearchParams(
n)}`}function We(e,n){if(e===void 0)return{signal:n,end:()=>{}};let t=new AbortController,s=setTimeout(
()=>t.abort(new Error(`No answer within ${e} ms.`)),e);return{signal:n?AbortSignal.any([n,t.signal]):
t.signal,end:()=>clearTimeout(s)}}var De="x-schema-hash";function Oe(e={},n=Ve){let t=new Map;return(s,o,i)=>{let d=i.headers.get(De);
if(d===null)return;let y=`${s}/${o}`,u=t.get(y)??e[s]?.[o]??d;t.set(y,d),u!==d&&n({app:s,table:o,expected:u,
actual:d})}}var Ve=({app:e,table:n})=>console.warn(`tessera-client: the schema of ${e}.${n} has chan\
ged. Generate its types again.`);function kn(e,n){let t=be({url:e,fetch:n}),s=Oe(),o=new Map;return o.set("then",void 0),new Proxy(Object.
freeze({}),{get(i,d){if(typeof d=="string")return o.has(d)||o.set(d,le(t,d,s)),o.get(d)}})}export{kn as databaseOf};
