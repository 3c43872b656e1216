/** The client of tables, for `context.db`. `npm run build:client` makes it of client/src/in-function.ts. */
async function ie(e,n,t,r={}){let o=[],a=new Map,d=(s,i)=>{let c=`o${o.length}`,f=We(c);return a.set(
f,o.length),o.push(i?{...s,as:c}:s),f},u=new Proxy({},{get:(s,i)=>qe(String(i),d)}),l=t(u),p=new Set(
JSON.stringify(o).match(/(?<="\$":")o\d+/g)),m=await e.json({method:"POST",path:n,body:o.map(({as:s,
...i})=>s!==void 0&&p.has(s)?{...i,as:s}:i),query:{dry_run:r.dryRun||void 0},key:r.idempotencyKey??!0,
signal:r.signal}),g=s=>m.data[a.get(s)??-1]?.data??null;if(a.has(l))return g(l);if(!(typeof l!="obje\
ct"||l===null))return Array.isArray(l)?l.map(g):Object.fromEntries(Object.entries(l).map(([s,i])=>[s,
g(i)]))}var qe=(e,n)=>({create:t=>n({op:"create",table:e,data:t},!0),update:(t,r,o={})=>n({op:"updat\
e",table:e,id:oe(t),data:r,...K(o)},!0),upsert:(t,{uniqueFields:r,...o})=>n({op:"upsert",table:e,unique_fields:r,
data:t,...K(o)},!0),delete:(t,r={})=>n({op:"delete",table:e,id:oe(t),...K(r)},!1),createEdge:t=>n({op:"\
create_edge",table:e,data:t},!1),deleteEdge:t=>n({op:"delete_edge",table:e,id:t},!1)}),K=e=>({...e.ifMatch===
void 0?{}:{if_match:e.ifMatch},...e.includeDeleted?{include_deleted:!0}:{},...e.hard?{hard_delete:!0}:
{}}),oe=e=>typeof e=="object"&&"$"in e?{$:e.$}:e,We=e=>new Proxy({},{get:(n,t)=>typeof t=="string"?{
$:`${e}.${t}`}:void 0});var w=class extends Error{name="TesseraError";status;code;body;messages;requestId;retryAfterSeconds;constructor({
method:n,path:t,status:r,body:o,headers:a}){let d=Ve(o),u=Object.entries(d).flatMap(([l,p])=>p.map(m=>l?
`${l}: ${m}`:m));super(`${n} ${t} answered ${r}${u.length>0?`: ${u.join(" ")}`:""}`),this.status=r,this.
code=a.get("x-error-code")??"unknown",this.body=o,this.messages=d,this.requestId=a.get("x-request-id"),
this.retryAfterSeconds=B(a.get("retry-after"))}},q=class extends w{name="InvalidRequestError"},A=class extends w{name="\
UnauthenticatedError"},W=class extends w{name="ForbiddenError"},S=class extends w{name="NotFoundErro\
r"},D=class extends w{name="ConflictError"},Q=class extends w{name="StaleError"},P=class extends w{name="\
UnprocessableError"},V=class extends w{name="TooManyRequestsError"},N=class extends w{name="Unavaila\
bleError"},L=class extends Error{name="ConnectionError";constructor(n,t,r){super(`${n} ${t} got no a\
nswer: ${r instanceof Error?r.message:r}`,{cause:r})}},De=new Map([[400,q],[401,A],[403,W],[404,S],[
409,D],[410,S],[412,Q],[413,P],[422,P],[429,V],[503,N]]);async function E(e,n,t){let{status:r,headers:o}=t,
a=await t.text().catch(()=>"");return new(De.get(r)??w)({method:e,path:n,status:r,body:Qe(a),headers:o})}
function Qe(e){try{return JSON.parse(e)}catch{return e}}function Ve(e){if(typeof e!="object"||e===null)
return{};let{details:n,detail:t,error:r,message:o,hint:a,field:d,...u}=e;if(typeof n=="object"&&n!==
null)return M(n);if(typeof t=="object"&&t!==null)return M(t);let l=[r,o,t,a].filter(p=>typeof p=="st\
ring");return l.length>0?{[typeof d=="string"?d:""]:l}:M({...u,error:r,message:o,detail:t,hint:a,field:d})}
var M=e=>Object.fromEntries(Object.entries(e).filter(([,n])=>Array.isArray(n)||typeof n=="string").map(
([n,t])=>[n,[t].flat().map(String)]));function B(e,n=Date.now()){if(e===null)return;if(/^\d+$/.test(
e))return Number(e);let t=Date.parse(e);return Number.isNaN(t)?void 0:Math.max(0,(t-n)/1e3)}var ae=429,Ne=503;function de(e,n,t,{attempts:r=4,delayMaxMs:o=3e4}={}){if(e>=r)return;let a=n?.status===
ae||n?.status===Ne;if(n!==void 0&&!a||n?.status!==ae&&!t)return;let d=B(n?.headers.get("retry-after")??
null),u=Math.min(o,200*2**e)*(.5+Math.random()/2),l=d===void 0?u:d*1e3+Math.random()*100;return l<=o?
l:void 0}function x(e,n){return new Promise((t,r)=>{n?.throwIfAborted();let o=()=>{clearTimeout(a),r(
n?.reason)},a=setTimeout(()=>{n?.removeEventListener("abort",o),t()},e);n?.addEventListener("abort",
o,{once:!0})})}function le(){let e=null;return{read:()=>e,write(n){e=n}}}var z="/api/auth/jwt/token/",Be=1e4;function fe(e,n){if(e&&"apiKey"in e)return ce(async()=>`Api-Key ${e.
apiKey}`);if(e&&"token"in e){let{token:t}=e;return ce(async()=>`Bearer ${typeof t=="string"?t:await t()}`)}
return ze(e,n)}function ce(e){let n=()=>Promise.reject(new Error("This client has fixed credentials."));
return{authorization:e,async renew(t){let r=await e();return r===t?void 0:r},signIn:n,keep:n,signOut:n}}
function ze(e={},n){let{username:t,password:r,store:o=le()}=e,a,d=s=>s===null?void 0:`Bearer ${s.access}`;
async function u(s,i){let c=await n(s,i);if(!c.ok)throw await E("POST",s,c);let f=ue(await c.json());
return await o.write(f),f}let l=(s,i)=>u(z,{username:s,password:i});async function p(){return t!==void 0&&
r!==void 0?l(t,r):null}async function m(s){let i=await o.read();if(i===null)return p();if(s!==void 0&&
i.access!==s&&i.expiresAt>Date.now())return i;try{return await u(`${z}refresh/`,{refresh:i.refresh})}catch(c){
if(!(c instanceof A))throw c;return await o.write(null),p()}}function g(s){return a??=He(o,()=>m(s)).
finally(()=>{a=void 0}),a}return{async authorization(){if(a)return d(await a);let s=await o.read(),i=s!==
null&&s.expiresAt-Be>Date.now();return d(i?s:await g(s?.access))},async renew(s){let i=await o.read();
if(s!==void 0&&d(i)!==s&&i!==null)return d(i);let c=d(await g(i?.access));return c===s?void 0:c},async signIn(s,i){
await l(s,i)},async keep(s){await o.write(ue(s))},async signOut(){let s=await o.read();await o.write(
null),s&&await n(`${z}blacklist/`,{refresh:s.refresh})}}}var ue=({access:e,refresh:n,expires_in:t})=>({
access:e,refresh:n,expiresAt:Date.now()+t*1e3});function He(e,n){if(e.alone)return e.alone(n);let{shared:t}=e,
{navigator:r}=globalThis;return t!==void 0&&r?.locks?r.locks.request(`tessera ${t}`,n):n()}var H="0.2.0";var Ue="x-tessera-version";function ye(e=console.warn){let n=!1;return({headers:t})=>{let r=n?null:t.
get(Ue);r!==null&&(n=!0,Ge(H,r)||e(`tessera-client ${H} may not fit this service, which has the vers\
ion ${r}. Install tessera-client@${r}.`))}}function Ge(e,n){let[[t,r],[o,a]]=[e,n].map(Fe);return t===
o&&(t===0?r===a:r<=a)}var Fe=e=>e.split(".",2).map(Number);function pe(e){let{url:n,site:t,retry:r,timeoutMs:o}=e,a=`${n.replace(/\/+$/,"")}${t===void 0?"":`/s\
ites/${encodeURIComponent(t)}`}`,d=e.fetch??(s=>globalThis.fetch(s)),u=ye();async function l(s,i){let{
method:c="GET",path:f,query:y,body:h,signal:b}=s,Ke=`${a}${f}${U(y)}`,Me=c==="GET"||i.has("idempoten\
cy-key");for(let te=1;;te++){b?.throwIfAborted();let O,re,C=Ye(o,b);try{let j={method:c,headers:i,body:h===
void 0?null:JSON.stringify(h)};O=await d(new Request(Ke,{...j,...C.signal?{signal:C.signal}:{}}))}catch(j){
if(b?.aborted)throw j;re=j}finally{C.end()}let se=de(te,O,Me,r);if(se===void 0){if(O)return u(O),O;throw new L(
c,f,re)}await O?.body?.cancel(),await x(se,b)}}let p=(s,i)=>l({method:"POST",path:s,body:i},new Headers(
{"content-type":"application/json"})),m=fe(e.auth,p);async function g(s){let i=Je(s),c=h=>h&&i.set("\
authorization",h),f=await m.authorization();c(f);let y=await l(s,i);if(y.status===401){let h=await m.
renew(f);h!==void 0&&(await y.body?.cancel(),c(h),y=await l(s,i))}if(y.ok)return y;throw await E(s.method??
"GET",s.path,y)}return{session:m,send:g,async json(s){let c=await(await g(s)).text();return c===""?void 0:
JSON.parse(c)}}}function Je({body:e,headers:n,key:t}){let r=new Headers({accept:"application/json",...n});
return e!==void 0&&r.set("content-type","application/json"),t&&r.set("idempotency-key",t===!0?Xe():t),
r}var Xe=()=>[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,"0")).
join("");function U(e={}){let n=Object.entries(e).flatMap(([t,r])=>r===void 0?[]:[[t,String(r)]]);return n.
length===0?"":`?${new URLSearchParams(n)}`}function Ye(e,n){if(e===void 0)return{signal:n,end:()=>{}};
let t=new AbortController,r=setTimeout(()=>t.abort(new Error(`No answer within ${e} ms.`)),e);return{
signal:n?AbortSignal.any([n,t.signal]):t.signal,end:()=>clearTimeout(r)}}function me(e,{event:n,data:t},r){if(n==="list"){let{list:f,...y}=t,h=y.data,b=y.total??null;return{
data:Array.isArray(h)?h:[h],total:b,answer:y}}if(n!=="change"||!e)return e;let{list:o,entered:a,left:d,
changed:u,order:l,...p}=t,m=f=>G(r.length===1?f[r[0]]:r.map(y=>f[y])),g=new Set(d.map(G)),s=new Map(
u.map(f=>[m(f),f])),i=e.data.flatMap(f=>{let y=m(f);return g.has(y)?[]:[s.get(y)??f]});for(let{at:f,
record:y}of a)i.splice(f,0,y);if(l){let f=new Map(i.map(y=>[m(y),y]));i=l.flatMap(y=>{let h=f.get(G(
y));return h?[h]:[]})}let c={...e.answer,...p,data:i};return{data:i,total:c.total??null,answer:c}}var G=e=>JSON.
stringify(e);async function*ge(e){let n=e.body?.pipeThrough(new TextDecoderStream).getReader(),t="";for(;n;){let{
value:r,done:o}=await n.read();if(o)return;t+=r;let a=t.split(`

`);t=a.pop()??"";for(let d of a){let u=d.split(`
`),l=m=>u.find(g=>g.startsWith(`${m}: `))?.slice(m.length+2),p=l("event");p&&(yield{event:p,id:l("id"),
data:JSON.parse(l("data")??"{}")})}}}var Ze=new Set(["renew","busy","unavailable"]),[he,we]=[1e3,1e4],en=5,F=class{#r;#e=new Map;#s;#n=new AbortController;#t=0;#o=0;constructor(n){
this.#r=n}get size(){return this.#e.size}has(n){return this.#e.has(n)}follow(n,t){let r=this.#e.get(
n);return r||(r={name:String(++this.#o),path:n,listeners:new Set,list:void 0,key:[],since:void 0,ends:0},
this.#e.set(n,r),this.#n.abort()),r.listeners.add(t),r.list&&t.next(r.list),this.#s??=this.#a().finally(
()=>{this.#s=void 0}),()=>this.#i(n,t)}#i(n,t){let r=this.#e.get(n);!r?.listeners.delete(t)||r.listeners.
size>0||(this.#e.delete(n),this.#n.abort())}async#a(){for(;this.#e.size>0;){await x(en),this.#n=new AbortController;
let{signal:n}=this.#n;try{await this.#d(n),this.#t=0}catch(t){if(n.aborted)continue;t instanceof w&&
t.status<500&&t.status!==429&&this.#f(t),this.#t++}!n.aborted&&this.#e.size>0&&await x(Math.random()*
(this.#t>1?we:he),n).catch(()=>{})}}async#d(n){let t=Object.fromEntries([...this.#e.values()].map(({
name:a,path:d,since:u})=>[a,u?{path:d,since:u}:d])),o={method:"POST",path:"/api/live/",headers:{accept:"\
text/event-stream"},body:{lists:t},signal:n};for await(let a of ge(await this.#r.send(o))){if(n.aborted)
return;this.#t=0,this.#l(a)}}#l(n){let{list:t,code:r,key:o}=n.data,a=[...this.#e.values()].find(u=>u.
name===t);if(!a)return;if(n.event==="end"){Ze.has(String(r))?this.#c(a):this.#u(a,String(r));return}
a.ends=0,n.id&&(a.since=n.id.slice(a.name.length+1)),n.event==="ready"&&(a.key=o);let d=me(a.list,n,
a.key);if(!(!d||d===a.list)){a.list=d;for(let u of a.listeners)u.next(d)}}#c(n){n.ends++;let t=this.#n;
x(Math.random()*(n.ends>1?we:he)).then(()=>t.abort())}#u(n,t){this.#e.delete(n.path);let r=new J(n.path,
t);for(let o of n.listeners)o.fail(r)}#f(n){for(let t of[...this.#e.values()]){this.#e.delete(t.path);
for(let r of t.listeners)r.fail(n)}}},J=class extends Error{code;constructor(n,t){super(`${n} is not\
 followed any more: ${t}.`),this.name="LiveEnded",this.code=t}},nn=20,be=new WeakMap;function Oe(e,n){
let t=be.get(e)??[];be.set(e,t);let r=t.find(a=>a.has(n))??t.find(a=>a.size<nn);if(r)return r;let o=new F(
e);return t.push(o),o}var tn={list:void 0,error:void 0};function xe(e,n,t,{signal:r}={}){let o=`${n}${U(t)}`,a=new Set,d=tn,
u,l=s=>{d=s;for(let i of a)i()},p=()=>{u?.(),u=void 0};r?.addEventListener("abort",()=>l({...d,error:r.
reason}),{once:!0});function m(s){return a.add(s),u??=Oe(e,o).follow(o,{next:i=>l({list:i,error:void 0}),
fail:i=>l({...d,error:i})}),()=>{a.delete(s),a.size===0&&p()}}async function*g(){let s=()=>{},i,c=m(
()=>s());try{for(;;){r?.throwIfAborted();let{list:f,error:y}=d;if(f!==void 0&&f!==i)i=f,yield f;else{
if(y)throw y;await new Promise(h=>{s=h,(d.list!==i||d.error)&&h()})}}}finally{c()}}return{subscribe:m,
state:()=>d,[Symbol.asyncIterator]:g}}function Te(e){let n=typeof e=="object"?e.map(ke).join(","):rn(String(e));if(n===""||n==="."||n===".\
.")throw new TypeError(`"${n}" is not the key of a record.`);return encodeURIComponent(n)}var v=e=>e.
flat().map(ke).join(","),ke=e=>{let n=String(e);return/[",]|^$/.test(n)?Ae(n):n},rn=e=>e.startsWith(
'"')?Ae(e):e,Ae=e=>`"${e.replaceAll('"','""')}"`;var k=e=>({...$(e),...X(e),page:e.page,page_size:e.pageSize,limit:e.limit,offset:e.offset,after:e.after,
before:e.before,_total:e.total,_rank:T(e.rank),_highlight:_(e.highlight)}),X=e=>({filters:e.where&&Y(
e.where),search:e.search,_language:e.language,_fuzzy:T(e.fuzzy),ordering:_(e.ordering),_distinct:_(e.
distinct),only_deleted:T(e.onlyDeleted),include_deleted:T(e.includeDeleted),as_of:ve(e.asOf)}),$=e=>({
fields:_(e.fields),populate:sn(e.populate),_annotate:e.annotate&&ee(e.annotate),include_deleted:T(e.
includeDeleted),as_of:ve(e.asOf)}),Y=e=>Object.keys(e).length===0?void 0:JSON.stringify(e);function Z(e,{
expect:n,limit:t,all:r}){let o=JSON.stringify(e,(d,u)=>{if(u===void 0)throw new TypeError(`The filte\
r "${d}" has no value: it is undefined.`);return u});return{filter:r===!0&&Object.keys(e).length===0?
void 0:o,expect:n,limit:t,all:T(r)}}var ee=e=>Object.entries(e).map(([n,t])=>`${typeof t=="string"?t:
t.expression} as ${n}`).join(",");var T=e=>e===!0?!0:void 0,_=e=>e?.join(","),ve=e=>e instanceof Date?e.toISOString():e;function sn(e){
if(e!==void 0)return Array.isArray(e)?e.join(","):JSON.stringify(Re(e))}var Re=e=>Object.fromEntries(
Object.entries(e).map(([n,t])=>[n,on(t)])),on=({where:e,ordering:n,fields:t,populate:r,...o})=>({...o,
...e?{filters:e}:{},...n?{ordering:n.join(",")}:{},...t?{fields:t.join(",")}:{},...r?{populate:Array.
isArray(r)?r.join(","):Re(r)}:{}});function je(e,n){let t=(r,o,a,d)=>e.json({method:r,path:o,query:{dry_run:d.dryRun||void 0},body:a,key:d.
idempotencyKey??!0,signal:d.signal});return{async list({from:r,to:o,types:a,page:d,pageSize:u,total:l,
signal:p}={}){let g={...{from_id:r&&v(r),to_id:o&&v(o)},types:a?.join(","),page:d,page_size:u,_total:l},
s=await e.json({path:n,query:g,signal:p});return{data:s.results,total:s.total}},async create(r,o={}){
return(await t("POST",n,r,o)).results},async replace(r,o,a={}){let d=`${n}${encodeURIComponent(r)}/`;
return(await t("PATCH",d,o,a)).data},async delete(r,o={}){return(await t("DELETE",n,{edge_ids:r},o)).
deleted}}}function Se(e,n,t){let r=(o,a,d)=>e.json({path:o===void 0?n:t(o),query:{...d,depth:a.depth,
relationship_type:a.types?.join(","),filters:a.where&&Y(a.where),fields:a.fields?.join(","),ordering:a.
ordering?.join(",")},signal:a.signal});return{async walk(o,a,d={}){let{data:u,...l}=await r(o,d,{include:a});
return{record:u,related:l}},async tree(o={}){let{from:a,include:d,...u}=o;return[(await r(a,u,{format:"\
tree",...d?{include:d}:{}})).data].flat()},async graph(o={}){let{from:a,include:d,...u}=o,l={format:"\
graph",...d?{include:d}:{}};return(await r(a,u,l)).data}}}async function*Pe(e){let n="";for await(let t of Ee(e)){let r=(n+t).split(`
`);n=r.pop()??"";for(let o of r)o.trim()!==""&&(yield JSON.parse(o))}n.trim()!==""&&(yield JSON.parse(
n))}var R=/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y;async function*Le(e){let n="",t=[];for await(let r of Ee(
e)){n+=r,R.lastIndex=0;let o=0;for(let a=R.exec(n);a;a=R.exec(n)){let[,d,u,l]=a;t.push(d===void 0?u||
null:d.replaceAll('""','"')),o=R.lastIndex,l!==","&&(yield t,t=[],R.lastIndex=o)}n=n.slice(o)}if(n!==
"")throw new Error("The CSV ends within a row.")}async function*Ee({body:e}){if(!e)return;let n=e.getReader(),
t=new TextDecoder;try{for(;;){let{done:r,value:o}=await n.read();if(yield t.decode(o,{stream:!r}),r)
return}}finally{await n.cancel().catch(()=>{})}}async function I({transport:e,path:n},t){let{signal:r}=t,{data:o,total:a,page:d,page_size:u,meta:l}=await e.
json({path:n,query:k(t),signal:r}),{has_more:p,total_is:m,next:g=null,previous:s=null}=l;return{data:o,
total:a,totalIs:m,page:d,pageSize:u,hasMore:p,next:g,previous:s}}async function*ne(e,n){let{after:t=""}=n;
for(;;){let r=await I(e,{...n,after:t});if((r.data.length>0||t==="")&&(yield r),r.next===null)return;
t=r.next}}var an=500;async function*_e(e,n){let{pageSize:t=an,total:r="none"}=n,o={...n,pageSize:t,total:r};
for await(let{data:a}of ne(e,o))yield*a}function $e(e,n){let t=`${n}data/`,r={transport:e,path:t},o=s=>`${t}${Te(s)}/`,a=(s,i,c,f,y={})=>e.json(
{method:s,path:i,query:{...y,dry_run:f.dryRun||void 0},body:c,key:f.idempotencyKey??!0,signal:f.signal}),
d=(s,i,c,f,y)=>e.json({method:s,path:o(i),query:{...y,include_deleted:f.includeDeleted||void 0,dry_run:f.
dryRun||void 0},body:c,key:f.idempotencyKey??!0,signal:f.signal,headers:f.ifMatch===void 0?{}:{"if-m\
atch":f.ifMatch}}),u=async s=>(await s).data;async function l(s,i,c,f,y){let h=f.atomic===!1?{atomic:!1}:
{},b=await a(s,i,c,f,{...y,...h});return{data:b.data??[],ignored:b.ignored??[],failed:b.failed??[]}}
async function p(s,i={}){return u(e.json({path:o(s),query:$(i),signal:i.signal}))}let m=(s,i)=>e.send(
{path:t,query:k(i),headers:{accept:s},signal:i.signal}),g=({values:s,by:i,having:c,ordering:f,...y})=>({
...k({...y,ordering:f}),_aggregate:ee(s),_group_by:i?.join(","),_having:c?.join(",")});return{list:(s={})=>I(
r,s),live:(s={})=>xe(e,t,k(s),s),pages:(s={})=>ne(r,s),each:(s={})=>_e(r,s),search:(s,i={})=>I(r,{...i,
search:s}),get:p,async getWithETag(s,i={}){let c={path:o(s),query:$(i),signal:i.signal},f=await e.send(
c),{data:y}=await f.json();return{data:y,etag:f.headers.get("etag")}},async find(s,i={}){try{return await p(
s,i)}catch(c){if(c instanceof Error&&"status"in c&&c.status===404)return;throw c}},async count(s={}){
let i={...X(s),_count:!0,_total:s.total};return(await e.json({path:t,query:i,signal:s.signal})).total},
async aggregate(s){let i=g(s),c={path:t,query:i,signal:s.signal};return(await e.json(c)).aggregates},
groups:s=>dn(e,t,g(s),s.signal),async*stream(s={}){yield*Pe(await m("application/x-ndjson",s))},async*csv(s={}){
yield*Le(await m("text/csv",s))},create:(s,i={})=>u(a("POST",t,s,i)),createMany:(s,i={})=>l("POST",t,
s,i,{on_conflict:i.onConflict}),update:(s,i,c={})=>u(d("PATCH",s,i,c)),updateMany:(s,i={})=>l("PATCH",
t,s,i,{}),async updateWhere(s,i,c={}){let f={...Z(s,c),return:"minimal"};return(await a("PATCH",t,i,
c,f)).updated_count},replace:(s,i,c={})=>u(d("PUT",s,i,c)),async upsert(s,{uniqueFields:i,...c}){let f={
unique_fields:i.join(",")},y=await a("POST",`${t}upsert/`,s,c,f);return{data:y.data,created:y.created}},
upsertMany:(s,{uniqueFields:i,...c})=>l("POST",`${t}upsert/`,s,c,{unique_fields:i.join(",")}),async delete(s,i={}){
await d("DELETE",s,void 0,i,{hard_delete:i.hard||void 0})},async deleteMany(s,i={}){let c={ids:v(s),
hard_delete:i.hard||void 0};return(await a("DELETE",t,void 0,i,c)).deleted},async deleteWhere(s,i={}){
let c={...Z(s,i),hard_delete:i.hard||void 0};return(await a("DELETE",t,void 0,i,c)).deleted},history:(s,{
page:i,pageSize:c,ordering:f,operation:y,signal:h}={})=>e.json({path:`${o(s)}history/`,query:{page:i,
page_size:c,ordering:f,operation:y},signal:h}),restore:(s,i,c={})=>u(a("POST",`${o(s)}restore/${encodeURIComponent(
i)}/`,void 0,c)),edges:je(e,`${n}edges/`),...Se(e,t,o)}}async function dn(e,n,t,r){let o=await e.json(
{path:n,query:t,signal:r});return{data:o.data,total:o.total,hasMore:o.meta.has_more}}function Ie(e,n,t,r=()=>({})){let o=`/api/apps/${encodeURIComponent(n)}/`,a=new Map,d=l=>{let p=a.get(
l)??$e(ln(e,m=>t(n,l,m)),`${o}datatables/${encodeURIComponent(l)}/`);return a.set(l,p),p},u=new Map(
[["$batch",(l,p)=>ie(e,`${o}batch/`,l,p)],["$table",d],...Object.entries(r(o)),["then",void 0]]);return new Proxy(
{},{get:(l,p)=>typeof p!="string"||u.has(p)?u.get(String(p)):d(p)})}function ln(e,n){let t=async r=>{
let o=await e.send(r);return n(o),o};return{session:e.session,send:t,async json(r){let o=await(await t(
r)).text();return o===""?void 0:JSON.parse(o)}}}var cn="x-schema-hash";function Ce(e={},n=un){let t=new Map;return(r,o,a)=>{let d=a.headers.get(cn);
if(d===null)return;let u=`${r}/${o}`,l=t.get(u)??e[r]?.[o]??d;t.set(u,d),l!==d&&n({app:r,table:o,expected:l,
actual:d})}}var un=({app:e,table:n})=>console.warn(`tessera-client: the schema of ${e}.${n} has chan\
ged. Generate its types again.`);function it(e,n,t){let{session:r,send:o,json:a}=pe({url:e,fetch:n}),d={session:r,send:p=>t(o(p)),json:p=>t(
a(p))},u=Ce(),l=new Map;return l.set("then",void 0),new Proxy(Object.freeze({}),{get(p,m){if(typeof m==
"string")return l.has(m)||l.set(m,Ie(d,m,u)),l.get(m)}})}export{it as databaseOf};
